import type { Packet } from "../capture/packet.js";
import type { Limits } from "../limits.js";
import { secondsBetween } from "./conversation.js";

/** Bytes that have not been seen, but may still come. */
interface Doubt {
  /** Called once the bytes have had enough time to arrive. */
  readonly settle: (now: Packet) => void;
  readonly packets: number;
  readonly seconds: number;
  readonly nanoseconds: number;
}

/**
 * Keeps doubts for a while: bytes that were acknowledged before they were captured may still come, because a recorder
 * with several queues, or a mirror port, mixes up the order of the two directions.
 */
export class Doubts {
  readonly #queue: Doubt[] = [];
  #packets = 0;

  constructor(readonly limits: Pick<Limits, "doubtPackets" | "doubtSeconds">) {}

  add(packet: Packet, settle: (now: Packet) => void): void {
    const { seconds, nanoseconds } = packet;
    this.#queue.push({ settle, packets: this.#packets, seconds, nanoseconds });
  }

  /** Settles the doubts that have had enough time, now that this packet has come. */
  pass(packet: Packet): void {
    this.#packets++;
    for (let first = this.#queue[0]; first !== undefined && this.#isOver(first, packet); first = this.#queue[0]) {
      this.#queue.shift();
      first.settle(packet);
    }
  }

  #isOver(doubt: Doubt, now: Packet): boolean {
    const { doubtPackets, doubtSeconds } = this.limits;
    return this.#packets - doubt.packets >= doubtPackets || secondsBetween(doubt, now) >= doubtSeconds;
  }
}
