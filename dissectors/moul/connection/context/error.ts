import type { FieldTree, MessageContext, PlayerTrouble, StructType } from "moul-dissect/schema";
import { Auth2Cli_AcctLoginReply } from "../../messages/auth/account.js";
import { Auth2Cli_KickedOff } from "../../messages/auth/player.js";
import { ENetError } from "../../messages/ENetError.js";
import { Game2Cli_JoinAgeReply } from "../../messages/game/age.js";
import { Srv2Cli_Error } from "../setup-packets.js";

/** The results that are not errors. */
const NO_ERRORS: ReadonlySet<number> = new Set([ENetError.kNetSuccess, ENetError.kNetPending]);

const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(ENetError).map(([name, code]) => [code, name]));

/** The name of the error that a message reports; undefined if it reports none. */
function errorOf(type: StructType<unknown>, nodes: FieldTree): string | undefined {
  const code = codeIn(type, nodes);
  return code === undefined || NO_ERRORS.has(code) ? undefined : (NAMES.get(code) ?? `error ${code}`);
}

/** What an error in a message of this type means to the player; undefined for one request that failed. */
function troubleOf(type: StructType<unknown>, error: string): PlayerTrouble | undefined {
  if (error === "kNetErrOldBuildId") return "version";
  if (type === Auth2Cli_KickedOff) return "kick";
  const isEntry = type === Auth2Cli_AcctLoginReply || type === Game2Cli_JoinAgeReply || type === Srv2Cli_Error;
  return isEntry ? "refusal" : undefined;
}

/** Whether messages of a type can report errors. */
export function canFail({ struct }: StructType<unknown>): boolean {
  return struct === Auth2Cli_KickedOff.struct || struct === Srv2Cli_Error.struct || struct.descriptors.has("result");
}

/** The error that a message reports, with what it means; nothing if it reports none. */
export function failureIn(
  type: StructType<unknown>,
  nodes: FieldTree,
): Pick<MessageContext, "error" | "trouble"> | undefined {
  const error = errorOf(type, nodes);
  return error === undefined ? undefined : { error, trouble: troubleOf(type, error) };
}

function codeIn(type: StructType<unknown>, nodes: FieldTree): number | undefined {
  switch (type) {
    case Auth2Cli_KickedOff:
      return nodes.numberIn(0, "reason");
    case Srv2Cli_Error: {
      const error = nodes.child(0, "error");
      return error < 0 ? undefined : nodes.numberIn(error, "errorCode");
    }
    default:
      return type.struct.descriptors.has("result") ? nodes.numberIn(0, "result") : undefined;
  }
}
