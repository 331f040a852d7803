import type { FieldTree, MessageContext, Referent, StructType } from "moul-dissect/schema";
import { Cli2Auth_AcctSetPlayerRequest } from "../messages/auth/account.js";
import { Cli2Game_JoinAgeRequest } from "../messages/game/age.js";
import { errorOf } from "./error.js";
import { type Exchange, NO_EXCHANGE } from "./transactions.js";

const NOTHING_KNOWN: MessageContext = {};

/** The player of a connection, and the age instance, as the client last requested them. */
export class Player {
  /** The context of most messages. */
  #usual = NOTHING_KNOWN;

  /** Records what a message says about the player; returns the context of the message. */
  decoded(type: StructType<unknown>, nodes: FieldTree, exchange: Exchange): MessageContext {
    if (type === Cli2Auth_AcctSetPlayerRequest || type === Cli2Game_JoinAgeRequest) {
      const player = referent(nodes, "playerVaultNodeId", "player", "KI number");
      this.#usual = { player, place: referent(nodes, "mcpId", "gameServerInstance", "game server's number") };
    }
    const error = errorOf(type, nodes);
    if (exchange === NO_EXCHANGE && error === undefined) return this.#usual;
    const { player, place } = this.#usual;
    const { asks, answers, forgets } = exchange;
    return { player, place, asks, answers, forgets, error };
  }
}

/** What the number in a field refers to; 0 is nothing. */
function referent(nodes: FieldTree, name: string, kind: string, idTitle: string): Referent | undefined {
  const number = nodes.numberIn(0, name) ?? 0;
  return number === 0 ? undefined : { kind, id: String(number), idTitle };
}
