import { i32, u16 } from "../bytes.js";
import type { IpPacket } from "../ip/ip.js";

/** Flags of the TCP header (RFC 9293, section 3.1). */
export const TcpFlag = { fin: 0x01, syn: 0x02, rst: 0x04, push: 0x08, ack: 0x10 } as const;

/** One TCP segment; one object is used for all packets. */
export class TcpSegment {
  sourcePort = 0;
  destinationPort = 0;
  /** Sequence number of the first byte of the segment, signed (see `i32`). */
  sequence = 0;
  /** Sequence number of the next byte expected from the other side, signed; valid only with `TcpFlag.ack`. */
  acknowledgment = 0;
  flags = 0;
  /** Offsets of the payload's first byte and of the byte after its last captured one. */
  payloadStart = 0;
  payloadEnd = 0;
  /** Bytes of the payload that were not captured. */
  missing = 0;
}

const SHORTEST_HEADER = 20;

/**
 * Reads a TCP header (RFC 9293, section 3.1). Options may be cut off: they are not needed.
 * @returns undefined if it was read, else what the packet is instead.
 */
export function readTcp(ip: IpPacket, out: TcpSegment): string | undefined {
  const { data, payloadStart: start } = ip;
  const there = ip.payloadEnd - start;
  const length = there + ip.missing;
  if (length < SHORTEST_HEADER) return "malformed TCP header";
  if (there < SHORTEST_HEADER) return "TCP header cut by the snap length";
  const headerLength = ((data[start + 12] ?? 0) >>> 4) * 4;
  if (headerLength < SHORTEST_HEADER || headerLength > length) return "malformed TCP header";
  out.sourcePort = u16(data, start);
  out.destinationPort = u16(data, start + 2);
  out.sequence = i32(data, start + 4);
  out.acknowledgment = i32(data, start + 8);
  out.flags = data[start + 13] ?? 0;
  out.payloadStart = Math.min(start + headerLength, ip.payloadEnd);
  out.payloadEnd = ip.payloadEnd;
  out.missing = length - headerLength - (out.payloadEnd - out.payloadStart);
  return undefined;
}
