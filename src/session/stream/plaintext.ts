import { copyOf } from "../../common/copy-of.js";
import type { ConversationListener, Direction, GapReason, Origin } from "../../network/conversation.js";
import { Fifo } from "./fifo.js";

/**
 * Receives what a recognised conversation brings, as the network room reports it but decrypted where a key is known:
 * packet by packet, as soon as it is certain that the bytes will not be deciphered any further. What cannot be
 * decrypted is passed as captured. It comes as messages are dissected.
 */
export interface PlaintextListener extends Pick<ConversationListener, "bytes" | "gap" | "datagram"> {
  /** A packet or a gap is not passed on: all of it belongs to somebody else, as the dissector has said. */
  foreign?(direction: Direction, origin: Origin): void;
}

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
  /** Offset in the stream from which on it belongs to somebody else. */
  #foreignFrom = Number.POSITIVE_INFINITY;

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

  /** Notes that nothing from an offset in the stream on belongs to the conversation. */
  leave(offset: number): void {
    this.#foreignFrom = offset;
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
      const isForeign = this.#reported >= this.#foreignFrom;
      const own = isForeign ? 0 : Math.min(length, this.#foreignFrom - this.#reported);
      this.#reported = stop;
      const isLast = stop === packet.until;
      const start = end - this.#pending;
      if (packet.missing === undefined) this.#pending -= length;
      // Before the listener is called: if it throws, the next report begins after the packet.
      if (isLast) this.#packets.take();
      if (isForeign && this.#held.length === 0) {
        if (isLast) this.listener.foreign?.(this.direction, packet.origin);
      } else if (packet.missing === undefined) {
        this.#reportBytes(buffer.subarray(start, start + own), packet.origin, isLast);
      } else {
        this.listener.gap(this.direction, own, packet.missing, packet.origin);
      }
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
