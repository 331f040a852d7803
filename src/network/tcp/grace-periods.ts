import type { Packet } from "../../capture/packet.js";
import { secondsBetween } from "../conversation.js";

/** How long something is waited for: whichever is over first. */
interface GraceLimits {
  readonly seconds: number;
  readonly packets?: number;
  /** How many may be waited for at once; the first one then has to end early. */
  readonly atOnce?: number;
}

interface GracePeriod {
  /** Called once there has been enough time. */
  readonly over: (now: Packet) => void;
  readonly packets: number;
  readonly seconds: number;
  readonly nanoseconds: number;
}

/** Gives what has not been seen the time to come, as packets and their times pass. */
export class GracePeriods {
  readonly #queue: GracePeriod[] = [];
  #packets = 0;

  constructor(readonly grace: GraceLimits) {}

  /** Begins to wait, from the given packet on. */
  add(packet: Packet, over: (now: Packet) => void): void {
    if (this.grace.seconds <= 0) {
      over(packet);
      return;
    }
    const { seconds, nanoseconds } = packet;
    this.#queue.push({ over, packets: this.#packets, seconds, nanoseconds });
    if (this.#queue.length > (this.grace.atOnce ?? Number.POSITIVE_INFINITY)) this.#queue.shift()?.over(packet);
  }

  /** Ends what has had enough time, now that this packet has come. */
  advanceClock(packet: Packet): void {
    this.#packets++;
    for (let first = this.#queue[0]; first !== undefined && this.#isOver(first, packet); first = this.#queue[0]) {
      this.#queue.shift();
      first.over(packet);
    }
  }

  #isOver(period: GracePeriod, now: Packet): boolean {
    const { packets = Number.POSITIVE_INFINITY, seconds } = this.grace;
    return this.#packets - period.packets >= packets || secondsBetween(period, now) >= seconds;
  }
}
