import { u16 } from "../bytes.js";
import type { IpPacket } from "./ip.js";

/** One UDP datagram; one object is used for all packets. */
export class UdpDatagram {
  sourcePort = 0;
  destinationPort = 0;
  checksum = 0;
  /** Offsets of the payload's first byte and of the byte after its last captured one. */
  payloadStart = 0;
  payloadEnd = 0;
  /** Bytes of the payload that were not captured. */
  missing = 0;
}

const HEADER = 8;

/**
 * Reads a UDP header (RFC 768).
 * @returns undefined if it was read, else what the packet is instead.
 */
export function readUdp(ip: IpPacket, out: UdpDatagram): string | undefined {
  const { data, payloadStart: start } = ip;
  const there = ip.payloadEnd - start;
  const available = there + ip.missing;
  if (available < HEADER) return "malformed UDP header";
  if (there < HEADER) return "UDP header cut by the snap length";
  const claimed = u16(data, start + 4);
  // 0: too long for the field (RFC 2675), or not yet split by the network card.
  const length = claimed === 0 ? available : claimed;
  if (length < HEADER || length > available) return "malformed UDP header";
  out.sourcePort = u16(data, start);
  out.destinationPort = u16(data, start + 2);
  out.checksum = u16(data, start + 6);
  out.payloadStart = start + HEADER;
  out.payloadEnd = Math.min(start + length, ip.payloadEnd);
  out.missing = length - (out.payloadEnd - start);
  return undefined;
}
