import type { Origin } from "../../network/conversation.js";

/** A packet of which some bytes are still to be appended. */
interface OutOfOrderPacket {
  readonly origin: Origin;
  length: number;
}

/** Shared by all directions in which everything comes in order, so nothing is ever added. */
const NONE: OutOfOrderPacket[] = [];

/** The packets of a direction whose bytes are appended later, because some before them have not come yet. */
export class OutOfOrderPackets {
  /** In the order in which they came. */
  #list = NONE;

  add(length: number, origin: Origin): void {
    if (this.#list === NONE) this.#list = [];
    this.#list.push({ origin, length });
  }

  /** Notes that bytes of a packet, which need not be one of these, are appended. */
  appended(length: number, origin: Origin): void {
    if (this.#list.length === 0) return;
    const index = this.#list.findIndex((packet) => packet.origin === origin);
    const packet = this.#list[index];
    if (packet === undefined) return;
    packet.length -= length;
    if (packet.length <= 0) this.#list.splice(index, 1);
  }

  /** The first of the packets, if there is one. */
  get first(): Origin | undefined {
    return this.#list[0]?.origin;
  }
}
