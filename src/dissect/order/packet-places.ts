import type { PacketStart } from "../../session/stream/direction-stream.js";

/** A packet of this many bytes may have been full, in which case the next one may begin with anything. */
const FULL = 1200;
/**
 * The same if the next one is likely to continue a message: no network's full packets are shorter. Source: RFC 9293.
 */
const SURELY_NOT_FULL = 536;
/** The most bits in favour of a message that begins where a packet does. */
const MOST_OF_START = 8;
/** Bits against a message that begins in the middle of a packet. */
const INSIDE = -3;

/**
 * The evidence of the places of messages in packets. Senders usually begin a packet with a message, unless the one
 * before was full, and most messages begin a packet.
 */
export class PacketPlaces {
  /** Where packets begin after one that was not full. */
  readonly likely: readonly number[];
  readonly #likely: ReadonlySet<number>;
  readonly #starts: ReadonlySet<number>;
  readonly #bits: number;

  /**
   * @param length number of bytes that are searched
   * @param isAnywhere false if the first bytes may belong to an earlier message
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

  /** Returns the evidence, in bits, for a message that begins at a place. */
  evidence(at: number): number {
    if (this.#likely.has(at)) return this.#bits;
    return this.#starts.has(at) ? 0 : INSIDE;
  }
}
