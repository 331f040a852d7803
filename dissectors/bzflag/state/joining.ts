import type { StateEvent } from "moul-dissect/dissector";
import { RecentMap } from "../recent-map.js";
import { called, type Players, playerIn, type ReadMessage } from "./players.js";

/** Most clients at once that wait for an answer. */
const MOST_WAITING = 1000;

const JOIN = "join the game";

/** A client's way into a game, and others who come and go. Source: facts, section 4. */
export class Joining {
  /** Conversations whose client has asked to join: servers accept links over UDP with the same message. */
  readonly #waiting = new RecentMap<true>(MOST_WAITING);

  constructor(readonly players: Players) {}

  /** A server may have no place for another client. */
  greeted({ nodes }: ReadMessage): StateEvent[] {
    const error = nodes.context?.error;
    return error === undefined ? [] : [{ kind: "step", step: "connect", outcome: "failed", error }];
  }

  asked(message: ReadMessage): StateEvent[] {
    const callsign = message.nodes.textIn(0, "callsign") ?? "";
    this.#waiting.set(String(message.conversation.stream), true);
    this.players.joins(message, callsign);
    return [{ kind: "step", step: JOIN, outcome: "asked", player: called(callsign) }];
  }

  answered({ nodes, conversation }: ReadMessage, outcome: "done" | "failed"): StateEvent[] {
    const stream = String(conversation.stream);
    if (this.#waiting.get(stream) === undefined) return [];
    this.#waiting.delete(stream);
    return [{ kind: "step", step: JOIN, outcome, error: nodes.context?.error }];
  }

  thrownOut({ nodes }: ReadMessage): StateEvent[] {
    return [{ kind: "step", step: "stay connected", outcome: "failed", error: nodes.context?.error ?? "" }];
  }

  /** A client is told of itself, too, which the answer has said already. */
  presence(message: ReadMessage, isThere: boolean): StateEvent[] {
    const { nodes } = message;
    const callsign = nodes.textIn(0, "callsign");
    const player = callsign === undefined ? playerIn(nodes, "player") : called(callsign);
    if (player === undefined || this.players.isOwn(message, player.id)) return [];
    return [{ kind: "presence", player, isThere }];
  }
}
