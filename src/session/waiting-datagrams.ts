import { copyOf } from "../common/copy-of.js";
import { type Direction, type Origin, opposite } from "../network/conversation.js";
import { Fifo } from "./stream/fifo.js";

/** What a waiting datagram costs besides its bytes, as measured: a buffer of its own, and its origin. */
const ENTRY_BYTES = 340;

/** A datagram on its way to a dissector. */
export interface Datagram {
  direction: Direction;
  readonly bytes: Uint8Array;
  /** How many of its bytes were not captured. */
  readonly missing: number;
  readonly origin: Origin;
}

/** Datagrams of a conversation that left its protocol undecided, kept in order until one decides. */
export class WaitingDatagrams {
  readonly #datagrams = new Fifo<Datagram>();
  #held = 0;

  /** Keeps a copy of a datagram; returns those that had to make room for it, oldest first. */
  keep(datagram: Datagram, most: number): readonly Datagram[] {
    this.#datagrams.push({ ...datagram, bytes: copyOf(datagram.bytes) });
    this.#held += costOf(datagram);
    const gone: Datagram[] = [];
    while (this.#held > most) {
      const oldest = this.#datagrams.take();
      if (oldest === undefined) break;
      this.#held -= costOf(oldest);
      gone.push(oldest);
    }
    return gone;
  }

  /** Swaps the directions: client and server had been mistaken for each other. */
  flip(): void {
    for (const datagram of this.#datagrams.rest()) datagram.direction = opposite(datagram.direction);
  }

  all(): readonly Datagram[] {
    return this.#datagrams.rest();
  }
}

function costOf({ bytes }: Datagram): number {
  return bytes.length + ENTRY_BYTES;
}
