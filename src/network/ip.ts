import { IpAddress } from "./address.js";
import { u16 } from "./bytes.js";
import { EtherType } from "./link.js";

/** What the IP header says of a packet; one object is used for all packets. */
export class IpPacket {
  readonly source = new IpAddress();
  readonly destination = new IpAddress();
  /** Number of the protocol of the payload (IANA registry): 6 TCP, 17 UDP. */
  protocol = 0;
  /** Offsets of the payload's first byte and of what follows its last captured byte. */
  payloadStart = 0;
  payloadEnd = 0;
  /** Bytes of the payload that were not captured. */
  missing = 0;
}

const IPV4_SHORTEST_HEADER = 20;
const IPV6_HEADER = 40;

const FRAGMENT_MORE = 0x2000;
const FRAGMENT_OFFSET = 0x1fff;

/** Extension headers of IPv6 (RFC 8200, section 4; RFC 4302 for the authentication header). */
const Extension = {
  hopByHop: 0,
  routing: 43,
  fragment: 44,
  authentication: 51,
  destination: 60,
  mobility: 135,
} as const;

const SHORTEST_EXTENSION = 8;

/**
 * Reads an IPv4 or IPv6 header.
 * @param start offset of the header in `data`.
 * @param originalLength length of the packet on the wire, as `data` counts it.
 * @returns undefined if it was read, else what the packet is instead.
 */
export function readIp(
  etherType: number,
  data: Uint8Array,
  start: number,
  originalLength: number,
  out: IpPacket,
): string | undefined {
  return etherType === EtherType.ipv4
    ? readIpv4(data, start, originalLength, out)
    : readIpv6(data, start, originalLength, out);
}

/** RFC 791, section 3.1. */
function readIpv4(data: Uint8Array, start: number, originalLength: number, out: IpPacket): string | undefined {
  const there = data.length - start;
  if (there < IPV4_SHORTEST_HEADER) return shortHeader("IPv4", originalLength - start, IPV4_SHORTEST_HEADER);
  const first = data[start] ?? 0;
  const headerLength = (first & 0xf) * 4;
  if (first >>> 4 !== 4 || headerLength < IPV4_SHORTEST_HEADER) return "malformed IPv4 header";
  const totalLength = u16(data, start + 2);
  if (totalLength !== 0 && totalLength < headerLength) return "malformed IPv4 header";
  if (there < headerLength) return shortHeader("IPv4", originalLength - start, headerLength);
  if ((u16(data, start + 6) & (FRAGMENT_MORE | FRAGMENT_OFFSET)) !== 0) return "IPv4 fragment";
  out.source.readIpv4(data, start + 12);
  out.destination.readIpv4(data, start + 16);
  out.protocol = data[start + 9] ?? 0;
  // 0: recorded before the network card has cut the packet into pieces that fit the wire (TSO).
  setPayload(data, start + headerLength, totalLength === 0 ? originalLength : start + totalLength, out);
  return undefined;
}

/** RFC 8200, section 3. */
function readIpv6(data: Uint8Array, start: number, originalLength: number, out: IpPacket): string | undefined {
  if (data.length - start < IPV6_HEADER) return shortHeader("IPv6", originalLength - start, IPV6_HEADER);
  if ((data[start] ?? 0) >>> 4 !== 6) return "malformed IPv6 header";
  const payloadLength = u16(data, start + 4);
  // 0: a jumbogram (RFC 2675), or, as with IPv4, not yet cut into pieces.
  const end = payloadLength === 0 ? originalLength : start + IPV6_HEADER + payloadLength;
  let protocol = data[start + 6] ?? 0;
  let at = start + IPV6_HEADER;
  for (;;) {
    const length = extensionLength(protocol, data, at);
    if (length === 0) break;
    if (at + length > end) return "malformed IPv6 header";
    if (at + length > data.length) return shortHeader("IPv6", originalLength - at, length);
    // A fragment header without a fragment: offset 0 and no more to come (RFC 6946).
    if (protocol === Extension.fragment && (u16(data, at + 2) & 0xfff9) !== 0) return "IPv6 fragment";
    protocol = data[at] ?? 0;
    at += length;
  }
  out.source.readIpv6(data, start + 8);
  out.destination.readIpv6(data, start + 24);
  out.protocol = protocol;
  setPayload(data, at, end, out);
  return undefined;
}

/** Length of the extension header of the given number in bytes; 0 if this is no extension header but the payload. */
function extensionLength(protocol: number, data: Uint8Array, at: number): number {
  switch (protocol) {
    case Extension.hopByHop:
    case Extension.routing:
    case Extension.destination:
    case Extension.mobility:
      return ((data[at + 1] ?? 0) + 1) * 8;
    case Extension.fragment:
      return SHORTEST_EXTENSION;
    case Extension.authentication:
      return ((data[at + 1] ?? 0) + 2) * 4;
    default:
      return 0;
  }
}

/** What is captured behind the packet's own end is padding of the link; what is not captured before it is missing. */
function setPayload(data: Uint8Array, payloadStart: number, end: number, out: IpPacket): void {
  out.payloadStart = payloadStart;
  out.payloadEnd = Math.min(Math.max(end, payloadStart), data.length);
  out.missing = Math.max(0, end - data.length);
}

function shortHeader(name: string, onWire: number, needed: number): string {
  return onWire < needed ? `malformed ${name} header` : `${name} header cut by the snap length`;
}
