import type { FieldTree, StructType } from "moul-dissect/schema";
import { Auth2Cli_KickedOff } from "../messages/auth/player.js";
import { ENetError } from "../messages/ENetError.js";
import { Srv2Cli_Error } from "./setup-packets.js";

/** The results that are not errors. */
const NO_ERRORS: ReadonlySet<number> = new Set([ENetError.kNetSuccess, ENetError.kNetPending]);

const NAMES: ReadonlyMap<number, string> = new Map(Object.entries(ENetError).map(([name, code]) => [code, name]));

/** The name of the error that a message reports; undefined if it reports none. */
export function errorOf(type: StructType<unknown>, nodes: FieldTree): string | undefined {
  const code = codeIn(type, nodes);
  return code === undefined || NO_ERRORS.has(code) ? undefined : (NAMES.get(code) ?? `error ${code}`);
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
      return nodes.numberIn(0, "result");
  }
}
