import type { DecodedTree, StructType } from "../../src/schema/index.js";
import { type Direction, type MessagePlace, markAnswer, type Passed } from "../../src/session/dissector.js";
import { passed } from "./replies.js";

/** Most players whose latest ping is remembered. */
const MOST_PLAYERS = 4096;

interface LagPing extends Passed {
  readonly seqno: number;
}

/** Those of each run, by what its conversations share: announcements there make room for one another. */
const ofRuns = new WeakMap<ReadonlyMap<string, unknown>, LagPings>();

/**
 * The lag pings of all servers of a run. A server may send one over UDP; the client returns it over TCP. Source: facts,
 * section 2, "what uses the UDP link".
 */
export class LagPings {
  /** The latest of each connection without an answer. */
  readonly #open = new Map<string, LagPing>();

  /** @param shared what the conversations of this dissector share in a run */
  static of(shared: ReadonlyMap<string, unknown>): LagPings {
    const pings = ofRuns.get(shared) ?? new LagPings();
    ofRuns.set(shared, pings);
    return pings;
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
      this.#add(connection, { ...message, seqno });
      nodes.circumstances = { asks: true };
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

  #add(connection: string, ping: LagPing): void {
    this.#open.delete(connection);
    if (this.#open.size >= MOST_PLAYERS) {
      const [oldest] = this.#open.keys();
      if (oldest !== undefined) this.#open.delete(oldest);
    }
    this.#open.set(connection, ping);
  }
}
