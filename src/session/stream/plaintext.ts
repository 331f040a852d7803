import { copyOf } from "../../common/copy-of.js";
import type { ConversationListener, Direction, GapReason, Origin } from "../../network/conversation.js";
import { Fifo } from "./fifo.js";

/**
 * Receives what a recognised conversation brings, as the network room reports it but decrypted where a key is known:
 * packet by packet, as soon as it is certain that the bytes will not be deciphered any further. What cannot be
 * decrypted is passed as captured. It comes as messages are dissected.
 */
export type PlaintextListener = Pick<ConversationListener, "bytes" | "gap" | "datagram">;

/** What a packet brought to a direction. */
interface Arrival {
  readonly origin: Origin;
  /** Offset in the stream after it, gaps counted. */
  readonly until: number;
  /** Why it is missing; undefined if it was captured. */
  readonly missing: GapReason | undefined;
}

/** Passes the bytes of one TCP direction to a listener, once they are settled. */
export class PlaintextDirection {
  /** What has arrived and has not been reported. */
  readonly #packets = new Fifo<Arrival>();
  /** Offset in the stream after what has arrived, and after what has been reported. */
  #tail = 0;
  #reported = 0;
  /** Bytes that have not been reported, without those that are missing. */
  #pending = 0;
  /** The beginning of a packet that has not been reported completely. */
  #held: Uint8Array[] = [];

  constructor(
    readonly direction: Direction,
    readonly listener: PlaintextListener,
  ) {}

  /** Notes that bytes have arrived, or are known to be missing. */
  received(length: number, origin: Origin, missing?: GapReason): void {
    this.#tail += length;
    if (missing === undefined) this.#pending += length;
    this.#packets.push({ origin, until: this.#tail, missing });
  }

  /**
   * Reports everything before an offset in the stream.
   *
   * @param buffer whose bytes before `end` include everything that has arrived and has not been reported
   */
  report(until: number, buffer: Uint8Array, end: number): void {
    for (let packet = this.#packets.first; packet !== undefined; packet = this.#packets.first) {
      if (this.#reported >= until) return;
      const stop = Math.min(packet.until, until);
      const length = stop - this.#reported;
      this.#reported = stop;
      if (packet.missing !== undefined) {
        this.listener.gap(this.direction, length, packet.missing, packet.origin);
      } else {
        const start = end - this.#pending;
        this.#pending -= length;
        this.#reportBytes(buffer.subarray(start, start + length), packet.origin, stop === packet.until);
      }
      if (stop === packet.until) this.#packets.take();
    }
  }

  #reportBytes(bytes: Uint8Array, origin: Origin, isLast: boolean): void {
    if (!isLast) {
      this.#held.push(copyOf(bytes));
      return;
    }
    const whole = this.#held.length === 0 ? bytes : Buffer.concat([...this.#held, bytes]);
    this.#held = [];
    this.listener.bytes(this.direction, whole, origin);
  }
}
