import type { DatagramMark } from "./ip/datagram-mark.js";
import { type Beginning, type Side, TrackedConversation } from "./tracked-conversation.js";

/** Datagrams of a side that are remembered, to notice copies: as many as a network card passes on at once (NAPI). */
const MOST_REMEMBERED = 64;

/** A pair of UDP endpoints, and the last datagrams that each of them has sent. */
export class UdpConversation extends TrackedConversation {
  readonly #recent: readonly [DatagramMark[], DatagramMark[]] = [[], []];
  /** Where the next one is remembered, by side. */
  readonly #next: [number, number] = [0, 0];

  constructor(beginning: Beginning) {
    super("udp", beginning);
  }

  /**
   * Whether a datagram on a path of its own belongs to this conversation: datagrams have no numbers, but each direction
   * may take a path of its own, and a copy any.
   */
  fits(side: Side, mark: DatagramMark): boolean {
    return this.#recent[side].length === 0 || this.isCopy(side, mark);
  }

  /** Whether a datagram has been recorded before, on another interface or path. */
  isCopy(side: Side, mark: DatagramMark): boolean {
    const recent = this.#recent[side];
    // Until there is another one to compare with, a sender that gives any identification is taken to count.
    const isNumbered = recent.length === 1 ? mark.hasIdentification : recent.some((other) => !mark.isNumberedAs(other));
    return recent.some((other) => mark.isCopyOf(other, isNumbered));
  }

  /** Remembers a datagram. */
  keep(side: Side, mark: DatagramMark): void {
    const recent = this.#recent[side];
    const at = this.#next[side];
    const known = recent[at];
    if (known === undefined) recent.push(mark.copy());
    else known.take(mark);
    this.#next[side] = (at + 1) % MOST_REMEMBERED;
  }
}
