import type { FieldTree, MessageContext, Referent, StructType } from "moul-dissect/schema";
import { Cli2Auth_AcctSetPlayerRequest } from "../../messages/auth/account.js";
import { Cli2Auth_ClientRegisterRequest } from "../../messages/auth/client.js";
import { File2Cli_BuildIdReply } from "../../messages/file/global.js";
import { Cli2Game_JoinAgeRequest } from "../../messages/game/age.js";
import { statedBuild } from "./build.js";
import { failureIn } from "./error.js";
import type { Role } from "./message-roles.js";
import { type Exchange, NO_EXCHANGE } from "./transactions.js";

const NOTHING_KNOWN: MessageContext = {};

/** The player of a connection, and the age instance, as the client last requested them. */
export class Player {
  /** The context of most messages. */
  #usual = NOTHING_KNOWN;

  /** Records what a message says about the player; returns the context of the message. */
  decoded({ type, isTelling }: Role, nodes: FieldTree, exchange: Exchange): MessageContext {
    const told = isTelling ? this.#told(type, nodes) : undefined;
    if (exchange === NO_EXCHANGE && told === undefined) return this.#usual;
    const { player, place } = this.#usual;
    const { asks, answers, forgets } = exchange;
    const context = { player, place, asks, answers, forgets };
    return told === undefined ? context : { ...context, ...told };
  }

  /** Records what a message says about the player; returns what it says about a build, or an error. */
  #told(type: StructType<unknown>, nodes: FieldTree): MessageContext | undefined {
    if (type === Cli2Auth_AcctSetPlayerRequest || type === Cli2Game_JoinAgeRequest) {
      const player = referent(nodes, "playerVaultNodeId", "player", "KI number");
      this.#usual = { player, place: referent(nodes, "mcpId", "gameServerInstance", "game server's number") };
    }
    const failure = failureIn(type, nodes);
    const isBuild = type === File2Cli_BuildIdReply || type === Cli2Auth_ClientRegisterRequest;
    return isBuild ? { ...failure, ...statedBuild(nodes) } : failure;
  }
}

/** What the number in a field refers to; 0 is nothing. */
function referent(nodes: FieldTree, name: string, kind: string, idTitle: string): Referent | undefined {
  const number = nodes.numberIn(0, name) ?? 0;
  return number === 0 ? undefined : { kind, id: String(number), idTitle };
}
