import { addressBytes } from "../network/address.js";
import type { Endpoint } from "../network/conversation.js";
import { internetChecksum } from "../network/ip/checksums.js";
import { IpProtocol } from "../network/ip/ip.js";
import { EtherType } from "../network/link/link-payload.js";

/** Packets made from scratch: Ethernet, IPv4 or IPv6, TCP or UDP. */

const TCP_HEADER = 20;
const UDP_HEADER = 8;
/** Longest payload of a TCP segment that fits into an IP packet, with IPv6's header, the longer of the two. */
export const LONGEST_SEGMENT = 65_535 - 40 - TCP_HEADER;

/** Hop limit of every packet; no hop has been used up. */
const HOPS = 64;
const DO_NOT_FRAGMENT = 0x4000;
/** The window of every segment: with the scale of `SYN_OPTIONS` a gibibyte, so that no sender ever has to wait. */
const WINDOW = 0xffff;
/** Maximum segment size, no operation, window scale 14 (RFC 9293, section 3.2; RFC 7323, section 2). */
export const SYN_OPTIONS = Uint8Array.of(2, 4, 0xff, 0xff, 1, 3, 3, 14);
const NO_OPTIONS = new Uint8Array(0);

/** Where packets go from and to. */
export interface Route {
  readonly source: Endpoint;
  readonly destination: Endpoint;
  /** The sender's number in the hardware addresses, which are made up: 1 for a client, 2 for a server. */
  readonly sourceHost: 1 | 2;
  /** A VLAN that it goes through; 0 for none. */
  readonly vlan: number;
}

/** The part of a segment that is TCP's own. */
export interface Segment {
  readonly flags: number;
  readonly sequence: number;
  readonly acknowledgment: number;
  readonly options?: Uint8Array;
}

/**
 * An Ethernet frame with a TCP segment.
 * @param missing bytes of the segment that were not captured: lengths include them, the frame does not.
 */
export function tcpPacket(route: Route, segment: Segment, payload: Uint8Array, missing: number): Uint8Array {
  const { flags, sequence, acknowledgment, options = NO_OPTIONS } = segment;
  const headerLength = TCP_HEADER + options.length;
  const length = headerLength + payload.length + missing;
  const fill = (view: DataView, at: number) => {
    view.setUint32(at + 4, sequence);
    view.setUint32(at + 8, acknowledgment);
    view.setUint8(at + 12, (headerLength / 4) << 4);
    view.setUint8(at + 13, flags);
    view.setUint16(at + 14, WINDOW);
    options.forEach((byte, index) => void view.setUint8(at + TCP_HEADER + index, byte));
  };
  return packet(route, { protocol: IpProtocol.tcp, length, headerLength, checksumAt: 16, fill }, payload);
}

/** An Ethernet frame with a UDP datagram; `missing` as for TCP. */
export function udpPacket(route: Route, payload: Uint8Array, missing: number): Uint8Array {
  const length = UDP_HEADER + payload.length + missing;
  const fill = (view: DataView, at: number) => view.setUint16(at + 4, length);
  return packet(route, { protocol: IpProtocol.udp, length, headerLength: UDP_HEADER, checksumAt: 6, fill }, payload);
}

/** What IP carries: the header of another protocol, and what follows it. */
interface TransportHeader {
  readonly protocol: number;
  /** Its length in bytes. */
  readonly length: number;
  readonly headerLength: number;
  /** Offset of the checksum in the header. */
  readonly checksumAt: number;
  /** Writes the header, except for the ports and the checksum. */
  readonly fill: (view: DataView, at: number) => void;
}

function packet(route: Route, header: TransportHeader, payload: Uint8Array): Uint8Array {
  const { protocol, length, headerLength, checksumAt, fill } = header;
  const [source, destination] = [addressBytes(route.source.address), addressBytes(route.destination.address)];
  const isVersion4 = source.length === 4;
  const ipAt = route.vlan === 0 ? 14 : 18;
  const at = ipAt + (isVersion4 ? 20 : 40);
  const bytes = new Uint8Array(at + headerLength + payload.length);
  const view = new DataView(bytes.buffer);
  writeEthernet(view, route, isVersion4 ? EtherType.ipv4 : EtherType.ipv6);
  if (isVersion4) writeIpv4(view, ipAt, length, protocol);
  else writeIpv6(view, ipAt, length, protocol);
  bytes.set(source, at - 2 * source.length);
  bytes.set(destination, at - source.length);
  if (isVersion4) view.setUint16(ipAt + 10, internetChecksum(bytes, ipAt, at));
  view.setUint16(at, route.source.port);
  view.setUint16(at + 2, route.destination.port);
  fill(view, at);
  bytes.set(payload, at + headerLength);
  // The checksum of bytes that are missing cannot be known.
  if (bytes.length - at < length) return bytes;
  // Like the pseudo-header, IP's own header has both addresses directly before the transport header.
  const checksum = internetChecksum(bytes, at - 2 * source.length, bytes.length, length + protocol);
  // Zero would mean that there is none, and all ones is the same number (RFC 768).
  view.setUint16(at + checksumAt, checksum === 0 && protocol === IpProtocol.udp ? 0xffff : checksum);
  return bytes;
}

function writeEthernet(view: DataView, { sourceHost, vlan }: Route, etherType: number): void {
  // Locally administered addresses.
  view.setUint8(0, 0x02);
  view.setUint8(5, sourceHost === 1 ? 2 : 1);
  view.setUint8(6, 0x02);
  view.setUint8(11, sourceHost);
  if (vlan !== 0) {
    view.setUint16(12, EtherType.vlan);
    view.setUint16(14, vlan);
  }
  view.setUint16(vlan === 0 ? 12 : 16, etherType);
}

function writeIpv4(view: DataView, at: number, length: number, protocol: number): void {
  view.setUint8(at, 0x45);
  view.setUint16(at + 2, 20 + length);
  view.setUint16(at + 6, DO_NOT_FRAGMENT);
  view.setUint8(at + 8, HOPS);
  view.setUint8(at + 9, protocol);
}

function writeIpv6(view: DataView, at: number, length: number, protocol: number): void {
  view.setUint8(at, 0x60);
  view.setUint16(at + 4, length);
  view.setUint8(at + 6, protocol);
  view.setUint8(at + 7, HOPS);
}
