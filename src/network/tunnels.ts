import { i32, u16, u24 } from "./bytes.js";
import { type IpPacket, IpProtocol } from "./ip.js";
import { EtherType, FIRST_ETHER_TYPE } from "./link-payload.js";
import { etherTypeName } from "./names.js";
import { Passage } from "./paths.js";
import type { UdpDatagram } from "./udp.js";

/** The number for PPP in place of an EtherType (RFC 2637, section 4.1). */
export const PPP = 0x880b;

/**
 * The content of a tunnel, and what distinguishes the tunnel from others between the same ends; one object is used for
 * all.
 */
export class Tunnelled {
  /** EtherType, `EtherType.transparentEthernet` or `PPP`. */
  etherType = 0;
  /** Offset of the content in the data of the packet around it. */
  start = 0;
  passage: Passage = Passage.ip;
  number = 0;
  /** Why it cannot be followed, in which case the rest is not set; empty if it can. */
  obstacle = "";
}

function leadsTo(out: Tunnelled, etherType: number, start: number, passage: Passage, number = 0): true {
  out.etherType = etherType;
  out.start = start;
  out.passage = passage;
  out.number = number;
  out.obstacle = "";
  return true;
}

function blockedBy(out: Tunnelled, obstacle: string): true {
  out.obstacle = obstacle;
  return true;
}

/**
 * Looks for a tunnel in the payload of IP: IP in IP (RFC 2003, RFC 2473), 6in4 (RFC 4213) and GRE.
 * @returns whether there is one.
 */
export function readIpTunnel(ip: IpPacket, out: Tunnelled): boolean {
  switch (ip.protocol) {
    case IpProtocol.ipv4:
      return leadsTo(out, EtherType.ipv4, ip.payloadStart, Passage.ip);
    case IpProtocol.ipv6:
      return leadsTo(out, EtherType.ipv6, ip.payloadStart, Passage.ip);
    case IpProtocol.gre:
      return readGre(ip, out);
    default:
      return false;
  }
}

/** GRE flags and version (RFC 2784, RFC 2890; RFC 2637 for version 1). */
const Gre = {
  checksum: 0x8000,
  routing: 0x4000,
  key: 0x2000,
  sequence: 0x1000,
  acknowledgment: 0x0080,
  version: 0x0007,
} as const;
const GRE_HEADER = 4;
const GRE_FIELD = 4;

/** Frames mirrored by a switch (draft-foschiano-erspan); type I has no header of its own. */
const ERSPAN = 0x88be;
const ERSPAN_3 = 0x22eb;
const ERSPAN_HEADER = 8;
const ERSPAN_3_HEADER = 12;
const ERSPAN_3_SUBHEADER = 8;

const GRE_CUT = "GRE header cut by the snap length";
const GRE_UNKNOWN = "GRE of an unknown kind";

function readGre({ data, payloadStart: start, payloadEnd: end }: IpPacket, out: Tunnelled): true {
  if (start + GRE_HEADER > end) return blockedBy(out, GRE_CUT);
  const flags = u16(data, start);
  const type = u16(data, start + 2);
  const version = flags & Gre.version;
  if (version > 1 || (flags & Gre.routing) !== 0) return blockedBy(out, GRE_UNKNOWN);
  let at = start + GRE_HEADER;
  if ((flags & Gre.checksum) !== 0) at += GRE_FIELD;
  const keyAt = at;
  const hasKey = (flags & Gre.key) !== 0;
  if (hasKey) at += GRE_FIELD;
  if ((flags & Gre.sequence) !== 0) at += GRE_FIELD;
  if (version === 1 && (flags & Gre.acknowledgment) !== 0) at += GRE_FIELD;
  if (type === ERSPAN && (flags & Gre.sequence) !== 0) at += ERSPAN_HEADER;
  if (type === ERSPAN_3) at += ERSPAN_3_HEADER + (((data[at + 11] ?? 0) & 1) === 1 ? ERSPAN_3_SUBHEADER : 0);
  if (at > end) return blockedBy(out, GRE_CUT);
  if (version === 1) {
    // In version 1 the key holds a length and a number that each end chooses for itself.
    return type === PPP ? leadsTo(out, PPP, at, Passage.gre) : blockedBy(out, GRE_UNKNOWN);
  }
  if (type < FIRST_ETHER_TYPE) return blockedBy(out, GRE_UNKNOWN);
  const etherType = type === ERSPAN || type === ERSPAN_3 ? EtherType.transparentEthernet : type;
  if (!hasKey) return leadsTo(out, etherType, at, Passage.gre);
  return leadsTo(out, etherType, at, Passage.greKey, i32(data, keyAt));
}

/** UDP ports (IANA registry) of tunnels; the second one of VXLAN is what Linux used before one was registered. */
const Port = { vxlan: 4789, vxlanOld: 8472, geneve: 6081, gtp: 2152 } as const;

/**
 * Looks for a tunnel in a UDP datagram: VXLAN, GENEVE or GTP-U. The destination port suggests one, but ports have other
 * uses, too: a datagram that does not look like the tunnel's header stays a datagram.
 * @returns whether there is one.
 */
export function readUdpTunnel(data: Uint8Array, datagram: UdpDatagram, out: Tunnelled): boolean {
  switch (datagram.destinationPort) {
    case Port.vxlan:
    case Port.vxlanOld:
      return readVxlan(data, datagram, out);
    case Port.geneve:
      return readGeneve(data, datagram, out);
    case Port.gtp:
      return readGtp(data, datagram, out);
    default:
      return false;
  }
}

const VXLAN_HEADER = 8;
const VXLAN_ID_IS_VALID = 0x08;
/** Flag of an extension that marks traffic with a group (draft-smith-vxlan-group-policy). */
const VXLAN_GROUP = 0x80;

/** RFC 7348, section 5. */
function readVxlan(data: Uint8Array, { payloadStart: at, payloadEnd: end }: UdpDatagram, out: Tunnelled): boolean {
  if (at + VXLAN_HEADER > end) return false;
  const flags = data[at] ?? 0;
  const hasGroup = flags === (VXLAN_GROUP | VXLAN_ID_IS_VALID);
  if (flags !== VXLAN_ID_IS_VALID && !hasGroup) return false;
  if (data[at + 7] !== 0 || (!hasGroup && (data[at + 1] !== 0 || u16(data, at + 2) !== 0))) return false;
  return leadsTo(out, EtherType.transparentEthernet, at + VXLAN_HEADER, Passage.vxlan, u24(data, at + 4));
}

const GENEVE_HEADER = 8;

/** RFC 8926, section 3.4. */
function readGeneve(data: Uint8Array, { payloadStart: at, payloadEnd: end }: UdpDatagram, out: Tunnelled): boolean {
  const first = data[at] ?? 0;
  const start = at + GENEVE_HEADER + (first & 0x3f) * 4;
  const isHeader = first >>> 6 === 0 && ((data[at + 1] ?? 0) & 0x3f) === 0 && data[at + 7] === 0;
  if (at + GENEVE_HEADER > end || !isHeader) return false;
  const type = u16(data, at + 2);
  if (type !== EtherType.transparentEthernet && type !== EtherType.ipv4 && type !== EtherType.ipv6) {
    return blockedBy(out, `GENEVE with ${etherTypeName(type)}`);
  }
  if (start > end) return blockedBy(out, "GENEVE header cut by the snap length");
  return leadsTo(out, type, start, Passage.geneve, u24(data, at + 4));
}

const GTP_HEADER = 8;
/** Version 1 and protocol type GTP; the low bits are three flags, any of which adds the same further fields. */
const GTP_VERSION_MASK = 0xf0;
const GTP_VERSION = 0x30;
const GTP_FURTHER = 0x07;
const GTP_EXTENSION = 0x04;
const GTP_FURTHER_LENGTH = 4;
/** The message that carries a packet: "G-PDU". */
const GTP_PACKET = 0xff;

/** 3GPP TS 29.281, section 5. */
function readGtp(
  data: Uint8Array,
  { payloadStart: at, payloadEnd: end, missing }: UdpDatagram,
  out: Tunnelled,
): boolean {
  const flags = data[at] ?? 0;
  if (at + GTP_HEADER > end || (flags & GTP_VERSION_MASK) !== GTP_VERSION || data[at + 1] !== GTP_PACKET) return false;
  if (u16(data, at + 2) !== end + missing - at - GTP_HEADER) return false;
  let start = at + GTP_HEADER;
  if ((flags & GTP_FURTHER) !== 0) start += GTP_FURTHER_LENGTH;
  // Each extension header begins with its length in units of four bytes and ends with the type of the next one.
  let next = (flags & GTP_EXTENSION) === 0 ? 0 : (data[start - 1] ?? 0);
  while (next !== 0 && start < end) {
    const length = (data[start] ?? 0) * 4;
    if (length === 0) return blockedBy(out, "malformed GTP-U header");
    start += length;
    next = data[start - 1] ?? 0;
  }
  if (start >= end) return blockedBy(out, "GTP-U header cut by the snap length");
  const version = (data[start] ?? 0) >>> 4;
  if (version !== 4 && version !== 6) return blockedBy(out, "GTP-U without IP");
  // The tunnel endpoint identifier is the receiver's: the other direction has a different one.
  return leadsTo(out, version === 4 ? EtherType.ipv4 : EtherType.ipv6, start, Passage.gtp);
}
