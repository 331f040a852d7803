import { IpAddress } from "../address.js";
import { i32, u16 } from "../bytes.js";
import { NO_PATH } from "../encapsulations.js";
import { EtherType, type LinkPayload, tooLong } from "../link/link-payload.js";

/** Protocol numbers (IANA registry) that are read here. */
export const IpProtocol = { ipv4: 4, tcp: 6, udp: 17, ipv6: 41, gre: 47, etherIp: 97, l2tp: 115, mpls: 137 } as const;

/** What the IP header says about a packet; one object is used for all packets. */
export class IpPacket {
  /** The bytes that the offsets refer to. */
  data: Uint8Array = new Uint8Array(0);
  /** The VLANs and tunnels that the packet came through, see `Encapsulations`. */
  path: number = NO_PATH;
  readonly source = new IpAddress();
  readonly destination = new IpAddress();
  /** Protocol number of the payload, such as one of `IpProtocol`. */
  protocol = 0;
  /** Offsets of the payload's first byte and of the byte after its last captured one. */
  payloadStart = 0;
  payloadEnd = 0;
  /** Bytes of the payload that were not captured. */
  missing = 0;
  /** What tells a packet from its sender's others (IPv4), unless it is 0: the packet has none. */
  identification = 0;
  /** How many more routers the packet may pass. */
  hopLimit = 0;
  /** Whether the payload is only a fragment; then `fragment` says which. */
  isFragment = false;
  readonly fragment = { identification: 0, offset: 0, hasMore: false };
  /** Whether a routing header says that the destination is only an intermediate stop. */
  isInTransit = false;
}

const IPV4_SHORTEST_HEADER = 20;
const IPV6_HEADER = 40;

const FRAGMENT_MORE = 0x2000;
const FRAGMENT_OFFSET = 0x1fff;

/** Extension headers of IPv6 (RFC 8200, section 4; RFC 4302 for the authentication header, which IPv4 has as well). */
const Extension = {
  hopByHop: 0,
  routing: 43,
  fragment: 44,
  authentication: 51,
  destination: 60,
  mobility: 135,
  hostIdentity: 139,
  shim6: 140,
} as const;

const SHORTEST_EXTENSION = 8;

/**
 * Reads the IPv4 or IPv6 header that `link` has found. What the packet claims to have behind the end of the layer around
 * it is that layer's padding, and not part of it; but a packet that claims more than its frame has is malformed.
 * @returns undefined if it was read, else what the packet is instead.
 */
export function readIp(link: LinkPayload, out: IpPacket): string | undefined {
  out.data = link.data;
  out.isFragment = false;
  out.isInTransit = false;
  return link.etherType === EtherType.ipv4 ? readIpv4(link, out) : readIpv6(link, out);
}

/** RFC 791, section 3.1. */
function readIpv4({ data, start, length, frameLength }: LinkPayload, out: IpPacket): string | undefined {
  const there = data.length - start;
  if (there < IPV4_SHORTEST_HEADER) return shortHeader("IPv4", length - start, IPV4_SHORTEST_HEADER);
  const first = data[start] ?? 0;
  const headerLength = (first & 0xf) * 4;
  if (first >>> 4 !== 4 || headerLength < IPV4_SHORTEST_HEADER) return "malformed IPv4 header";
  const totalLength = u16(data, start + 2);
  if (totalLength !== 0 && totalLength < headerLength) return "malformed IPv4 header";
  if (there < headerLength) return shortHeader("IPv4", length - start, headerLength);
  if (start + totalLength > frameLength) return tooLong("IPv4");
  out.source.readIpv4(data, start + 12);
  out.destination.readIpv4(data, start + 16);
  out.protocol = data[start + 9] ?? 0;
  out.identification = u16(data, start + 4);
  out.hopLimit = data[start + 8] ?? 0;
  // 0: recorded before the network card split the packet into pieces that fit the wire (TSO).
  const end = totalLength === 0 ? wireEnd(data, length) : Math.min(start + totalLength, length);
  setPayload(data, start + headerLength, end, out);
  const fragment = u16(data, start + 6) & (FRAGMENT_MORE | FRAGMENT_OFFSET);
  if (fragment !== 0) {
    setFragment(u16(data, start + 4), (fragment & FRAGMENT_OFFSET) * 8, (fragment & FRAGMENT_MORE) !== 0, out);
    return undefined;
  }
  return out.protocol === Extension.authentication ? readExtensions(out) : undefined;
}

/** RFC 8200, section 3. */
function readIpv6({ data, start, length, frameLength }: LinkPayload, out: IpPacket): string | undefined {
  if (data.length - start < IPV6_HEADER) return shortHeader("IPv6", length - start, IPV6_HEADER);
  if ((data[start] ?? 0) >>> 4 !== 6) return "malformed IPv6 header";
  const payloadLength = u16(data, start + 4);
  const payloadStart = start + IPV6_HEADER;
  if (payloadStart + payloadLength > frameLength) return tooLong("IPv6");
  out.source.readIpv6(data, start + 8);
  out.destination.readIpv6(data, start + 24);
  out.protocol = data[start + 6] ?? 0;
  out.identification = 0;
  out.hopLimit = data[start + 7] ?? 0;
  // 0: a jumbogram (RFC 2675) or, as with IPv4, not yet split.
  const end = payloadLength === 0 ? wireEnd(data, length) : Math.min(payloadStart + payloadLength, length);
  setPayload(data, payloadStart, end, out);
  return readExtensions(out);
}

/** Where a packet ends that does not say so itself; infinite `length`: what is around it does not say so either. */
function wireEnd(data: Uint8Array, length: number): number {
  return length === Number.POSITIVE_INFINITY ? data.length : length;
}

/**
 * Skips the extension headers that a payload begins with, up to a fragment header. A payload reassembled from fragments
 * may begin with them, too.
 * @returns what `readIp` does.
 */
function readExtensions(out: IpPacket): string | undefined {
  const { data } = out;
  const end = out.payloadEnd + out.missing;
  for (;;) {
    const at = out.payloadStart;
    const length = extensionLength(out.protocol, data, at);
    if (length === 0) return undefined;
    if (at + length > out.payloadEnd) return shortHeader(`IPv${out.source.version}`, end - at, length);
    const header = out.protocol;
    out.protocol = data[at] ?? 0;
    out.payloadStart = at + length;
    // Segments left: the packet has further stops before its final destination (RFC 8200, section 4.4).
    if (header === Extension.routing && (data[at + 3] ?? 0) !== 0) out.isInTransit = true;
    // An atomic fragment has offset 0 and no more to come (RFC 6946).
    const field = header === Extension.fragment ? u16(data, at + 2) & 0xfff9 : 0;
    if (field !== 0) {
      setFragment(i32(data, at + 4), field & 0xfff8, (field & 1) !== 0, out);
      return undefined;
    }
  }
}

/** Length in bytes of the extension header with the given number; 0 if it is the payload instead. */
function extensionLength(protocol: number, data: Uint8Array, at: number): number {
  switch (protocol) {
    case Extension.hopByHop:
    case Extension.routing:
    case Extension.destination:
    case Extension.mobility:
    case Extension.hostIdentity:
    case Extension.shim6:
      return ((data[at + 1] ?? 0) + 1) * 8;
    case Extension.fragment:
      return SHORTEST_EXTENSION;
    case Extension.authentication:
      return ((data[at + 1] ?? 0) + 2) * 4;
    default:
      return 0;
  }
}

/**
 * Sets the payload: captured bytes after the packet's own end are link padding; bytes before it that were not captured
 * are missing.
 */
function setPayload(data: Uint8Array, payloadStart: number, end: number, out: IpPacket): void {
  out.payloadStart = payloadStart;
  out.payloadEnd = Math.min(Math.max(end, payloadStart), data.length);
  out.missing = Math.max(0, end - data.length);
}

function setFragment(identification: number, offset: number, hasMore: boolean, out: IpPacket): void {
  out.isFragment = true;
  out.fragment.identification = identification;
  out.fragment.offset = offset;
  out.fragment.hasMore = hasMore;
}

function shortHeader(name: string, onWire: number, needed: number): string {
  return onWire < needed ? `malformed ${name} header` : `${name} header cut by the snap length`;
}

/** Reads on in a payload reassembled from fragments; returns what `readIp` does. */
export function readReassembled(out: IpPacket): string | undefined {
  const hasExtensions = out.source.version === 6 || out.protocol === Extension.authentication;
  return hasExtensions ? readExtensions(out) : undefined;
}
