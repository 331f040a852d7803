import { type Direction, type MessagePlace, markAnswer, type Passed, sharedObject } from "moul-dissect/dissector";
import type { DecodedTree, StructType } from "moul-dissect/schema";
import { RecentMap } from "./recent-map.js";
import { passed } from "./replies.js";

/** Most players whose latest ping is remembered. */
const MOST_PLAYERS = 4096;

interface LagPing extends Passed {
  readonly seqno: number;
}

/**
 * The lag pings of all servers of a run. A server may send one over UDP; the client returns it over TCP. Source: facts,
 * section 2, "what uses the UDP link".
 */
export class LagPings {
  /** The latest of each connection without an answer. */
  readonly #open = new RecentMap<LagPing>(MOST_PLAYERS);

  /** @param shared what the conversations of this dissector share in a run */
  static in(shared: Map<string, unknown>): LagPings {
    return sharedObject(shared, "lagPings", LagPings);
  }

  /**
   * Notes a ping, or says which one a message answers.
   *
   * @param connection of the client, whether over TCP or UDP
   */
  decoded(
    connection: string,
    direction: Direction,
    type: StructType<unknown>,
    nodes: DecodedTree,
    place: MessagePlace,
  ): void {
    const seqno = nodes.numberIn(0, "seqno");
    if (seqno === undefined) return;
    const message = passed(type, place);
    if (direction === "s2c") {
      this.#open.set(connection, { ...message, seqno });
      nodes.context = { asks: true };
      return;
    }
    const ping = this.#open.get(connection);
    if (ping?.seqno !== seqno) return;
    this.#open.delete(connection);
    markAnswer(nodes, ping, message, { leaf: nodes.child(0, "seqno"), isPing: true });
  }

  /** Forgets the ping of an earlier connection between the same ports. */
  forget(connection: string): void {
    this.#open.delete(connection);
  }
}
