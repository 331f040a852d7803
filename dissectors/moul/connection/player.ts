import type { FieldTree, MessageContext, Referent, StructType } from "moul-dissect/schema";
import { Cli2Auth_AcctSetPlayerRequest } from "../messages/auth/account.js";
import { Cli2Auth_ClientRegisterRequest } from "../messages/auth/client.js";
import { File2Cli_BuildIdReply } from "../messages/file/global.js";
import { Cli2Game_JoinAgeRequest } from "../messages/game/age.js";
import { statedBuild } from "./build.js";
import { canFail, failureIn } from "./error.js";
import { type Exchange, NO_EXCHANGE } from "./transactions.js";

const NOTHING_KNOWN: MessageContext = {};

/** The messages that say who is playing, and where, or name a build. */
const telling: ReadonlySet<StructType<unknown>> = new Set<StructType<unknown>>([
  Cli2Auth_AcctSetPlayerRequest,
  Cli2Game_JoinAgeRequest,
  Cli2Auth_ClientRegisterRequest,
  File2Cli_BuildIdReply,
]);

/** The player of a connection, and the age instance, as the client last requested them. */
export class Player {
  /** The context of most messages. */
  #usual = NOTHING_KNOWN;
  /** The type of the latest message, if none of its messages says any such thing, or reports an error. */
  #silent: StructType<unknown> | undefined;

  /** Records what a message says about the player; returns the context of the message. */
  decoded(type: StructType<unknown>, nodes: FieldTree, exchange: Exchange): MessageContext {
    if (type === this.#silent && exchange === NO_EXCHANGE) return this.#usual;
    if (type === Cli2Auth_AcctSetPlayerRequest || type === Cli2Game_JoinAgeRequest) {
      const player = referent(nodes, "playerVaultNodeId", "player", "KI number");
      this.#usual = { player, place: referent(nodes, "mcpId", "gameServerInstance", "game server's number") };
    }
    const failure = failureIn(type, nodes);
    const isBuild = type === File2Cli_BuildIdReply || type === Cli2Auth_ClientRegisterRequest;
    this.#silent = telling.has(type) || canFail(type) ? undefined : type;
    if (exchange === NO_EXCHANGE && failure === undefined && !isBuild) return this.#usual;
    const { player, place } = this.#usual;
    const { asks, answers, forgets } = exchange;
    return { player, place, asks, answers, forgets, ...failure, ...(isBuild && statedBuild(nodes)) };
  }
}

/** What the number in a field refers to; 0 is nothing. */
function referent(nodes: FieldTree, name: string, kind: string, idTitle: string): Referent | undefined {
  const number = nodes.numberIn(0, name) ?? 0;
  return number === 0 ? undefined : { kind, id: String(number), idTitle };
}
