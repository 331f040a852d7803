import type { Conversation, Direction, GapReason, NetworkListener, Origin } from "../network/conversation.js";
import { copyOf } from "../schema/copy-of.js";
import { Fifo } from "./fifo.js";

/**
 * Takes what recognised conversations bring as the network room tells it, but decrypted where a key is known: packet by
 * packet, as soon as it is settled that nothing deciphers the bytes any further. What cannot be decrypted comes as it
 * was captured. Told also of the end of conversations of which nothing else was told.
 */
export interface PlaintextListener extends Pick<NetworkListener, "bytes" | "gap" | "datagram" | "closed"> {
  /** The conversation was not recognised: only its end follows. */
  forgotten?(conversation: Conversation): void;
  /**
   * The conversation is not recognised yet, and the oldest datagram of this direction that has not been told is given
   * up.
   */
  passedOver?(conversation: Conversation, direction: Direction): void;
}

/** What a packet has brought to a direction. */
interface Brought {
  readonly origin: Origin;
  /** Offset in the stream behind it, gaps counted. */
  readonly until: number;
  /** Why it is missing; undefined where it is there. */
  readonly missing: GapReason | undefined;
}

/** Tells a listener of the bytes of one TCP direction, once they are settled. */
export class PlaintextDirection {
  /** What has come and is not told. */
  readonly #packets = new Fifo<Brought>();
  /** Offset in the stream behind what has come, and behind what was told. */
  #tail = 0;
  #told = 0;
  /** Bytes that are not told, without those that are missing. */
  #untold = 0;
  /** The beginning of a packet of which more is to be told. */
  #held: Uint8Array[] = [];

  constructor(
    readonly conversation: Conversation,
    readonly direction: Direction,
    readonly listener: PlaintextListener,
  ) {}

  /** Something has come, or is known to be missing. */
  came(length: number, origin: Origin, missing?: GapReason): void {
    this.#tail += length;
    if (missing === undefined) this.#untold += length;
    this.#packets.push({ origin, until: this.#tail, missing });
  }

  /**
   * Tells of everything in front of an offset in the stream.
   *
   * @param buffer in which all that has come and is not told stands in front of `end`
   */
  tell(until: number, buffer: Uint8Array, end: number): void {
    for (let packet = this.#packets.first; packet !== undefined; packet = this.#packets.first) {
      if (this.#told >= until) return;
      const stop = Math.min(packet.until, until);
      const length = stop - this.#told;
      this.#told = stop;
      if (packet.missing !== undefined) {
        this.listener.gap(this.conversation, this.direction, length, packet.missing, packet.origin);
      } else {
        const start = end - this.#untold;
        this.#untold -= length;
        this.#tellBytes(buffer.subarray(start, start + length), packet.origin, stop === packet.until);
      }
      if (stop === packet.until) this.#packets.take();
    }
  }

  #tellBytes(bytes: Uint8Array, origin: Origin, isLast: boolean): void {
    if (!isLast) {
      this.#held.push(copyOf(bytes));
      return;
    }
    const whole = this.#held.length === 0 ? bytes : Buffer.concat([...this.#held, bytes]);
    this.#held = [];
    this.listener.bytes(this.conversation, this.direction, whole, origin);
  }
}
