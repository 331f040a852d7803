import type { Packet } from "../capture/packet.js";
import type { Limits } from "../limits.js";

/** Something that is acknowledged, but has not been seen. */
interface Doubt {
  /** Called once the bytes have had enough time to arrive. */
  readonly settle: (now: Packet) => void;
  readonly packets: number;
  readonly seconds: number;
  readonly nanoseconds: number;
}

/**
 * What has been acknowledged before it was captured may still come: a recorder with several queues, or a mirror port,
 * mixes up the order of the two directions. Keeps what is in doubt for a while.
 */
export class Doubts {
  #queue: Doubt[] = [];
  #packets = 0;

  constructor(readonly limits: Pick<Limits, "doubtPackets" | "doubtSeconds">) {}

  add(packet: Packet, settle: (now: Packet) => void): void {
    const { seconds, nanoseconds } = packet;
    this.#queue.push({ settle, packets: this.#packets, seconds, nanoseconds });
  }

  /** Settles what has had time enough, now that this packet comes. */
  pass(packet: Packet): void {
    this.#packets++;
    while (this.#queue.length > 0) {
      const [first] = this.#queue;
      if (first === undefined || !this.#isOver(first, packet)) return;
      this.#queue.shift();
      first.settle(packet);
    }
  }

  #isOver({ packets, seconds, nanoseconds }: Doubt, now: Packet): boolean {
    const { doubtPackets, doubtSeconds } = this.limits;
    const passed = now.seconds - seconds + (now.nanoseconds - nanoseconds) / 1e9;
    return this.#packets - packets >= doubtPackets || passed >= doubtSeconds;
  }
}
