import type { PacketStart } from "../session/direction-stream.js";

/** A packet of as many bytes may have been filled up: what stands at the beginning of the next one may be anything. */
const FULL = 1200;
/** The same where what stands there is rather of the message before: no network has shorter ones. Source: RFC 9293. */
const SURELY_NOT_FULL = 536;
/** How many bits count, at most, for a message that begins where a packet does. */
const MOST_OF_START = 8;
/** How many bits count against a message that begins in the middle of a packet. */
const INSIDE = -3;

/**
 * What the places of messages in packets say for them. Senders mostly begin a packet with a message, unless the one
 * before was full, and most messages begin a packet.
 */
export class PacketPlaces {
  /** Where packets begin behind one that was not full. */
  readonly likely: readonly number[];
  readonly #likely: ReadonlySet<number>;
  readonly #starts: ReadonlySet<number>;
  readonly #bits: number;

  /**
   * @param length of what is searched, in bytes
   * @param isAnywhere false if what comes first may be of a message before
   */
  constructor(starts: readonly PacketStart[], length: number, isAnywhere: boolean) {
    const full = isAnywhere ? FULL : SURELY_NOT_FULL;
    this.likely = starts.filter(({ before }) => before < full).map(({ at }) => at);
    this.#likely = new Set(this.likely);
    this.#starts = new Set(starts.map(({ at }) => at));
    this.#bits = Math.min(MOST_OF_START, Math.log2(length / Math.max(1, this.likely.length)));
  }

  isLikely(at: number): boolean {
    return this.#likely.has(at);
  }

  /** What a place says, in bits, for a message that begins there. */
  evidence(at: number): number {
    if (this.#likely.has(at)) return this.#bits;
    return this.#starts.has(at) ? 0 : INSIDE;
  }
}
