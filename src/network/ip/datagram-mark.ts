import type { Packet } from "../../capture/packet.js";
import { secondsBetween } from "../conversation.js";
import type { IpPacket } from "./ip.js";
import type { UdpDatagram } from "./udp.js";

/** How much later a copy with the same IP identification may be recorded: no sender uses one twice so soon (RFC 6864). */
const NUMBERED_SECONDS = 0.1;
/** The same without an identification, if the packet has come another way, and if it has not. */
const OTHER_WAY_SECONDS = 0.01;
const SAME_WAY_SECONDS = 0.0002;

/** Bytes at the beginning and at the end of a payload that are compared; the UDP checksum stands for the others. */
const COMPARED = 64;

/** What tells a datagram from others between the same ports, to find those that were recorded twice. */
export class DatagramMark {
  #identification = 0;
  #hopLimit = 0;
  #path = 0;
  #length = 0;
  #hash = 0;
  #seconds = 0;
  #nanoseconds = 0;

  /** Sets it to a datagram. */
  set(
    { data, identification, hopLimit, path }: IpPacket,
    { payloadStart, payloadEnd, missing, checksum }: UdpDatagram,
    { seconds, nanoseconds }: Packet,
  ): void {
    this.#identification = identification;
    this.#hopLimit = hopLimit;
    this.#path = path;
    this.#length = payloadEnd - payloadStart + missing;
    this.#hash = hashOf(data, payloadStart, payloadEnd, checksum);
    this.#seconds = seconds;
    this.#nanoseconds = nanoseconds;
  }

  /** Sets it to the same as another one. */
  take(other: DatagramMark): void {
    this.#identification = other.#identification;
    this.#hopLimit = other.#hopLimit;
    this.#path = other.#path;
    this.#length = other.#length;
    this.#hash = other.#hash;
    this.#seconds = other.#seconds;
    this.#nanoseconds = other.#nanoseconds;
  }

  copy(): DatagramMark {
    const copy = new DatagramMark();
    copy.take(this);
    return copy;
  }

  /** Whether it has an IP identification other than 0. */
  get hasIdentification(): boolean {
    return this.#identification !== 0;
  }

  /** Whether the IP identification is that of another datagram. Not all senders count (RFC 6864, section 4). */
  isNumberedAs(other: DatagramMark): boolean {
    return this.#identification === other.#identification;
  }

  /**
   * Whether this is the same datagram as one that was recorded before.
   * @param isNumbered whether its sender gives each datagram an identification of its own.
   */
  isCopyOf(other: DatagramMark, isNumbered: boolean): boolean {
    if (this.#hash !== other.#hash || this.#length !== other.#length || !this.isNumberedAs(other)) return false;
    const isSameWay = this.#hopLimit === other.#hopLimit && this.#path === other.#path;
    const unnumbered = isSameWay ? SAME_WAY_SECONDS : OTHER_WAY_SECONDS;
    const most = isNumbered ? NUMBERED_SECONDS : unnumbered;
    const earlier = { seconds: other.#seconds, nanoseconds: other.#nanoseconds };
    return Math.abs(secondsBetween(earlier, { seconds: this.#seconds, nanoseconds: this.#nanoseconds })) <= most;
  }
}

/** FNV-1a of the checksum and both ends of the payload. */
function hashOf(data: Uint8Array, start: number, end: number, checksum: number): number {
  let hash = 0x811c9dc5 ^ checksum;
  const firstEnd = Math.min(end, start + COMPARED);
  for (let at = start; at < firstEnd; at++) hash = Math.imul(hash ^ (data[at] ?? 0), 0x01000193);
  for (let at = Math.max(firstEnd, end - COMPARED); at < end; at++) {
    hash = Math.imul(hash ^ (data[at] ?? 0), 0x01000193);
  }
  return hash;
}
