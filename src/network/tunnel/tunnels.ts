import { u16, u24 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { type IpPacket, IpProtocol } from "../ip/ip.js";
import type { UdpDatagram } from "../ip/udp.js";
import { EtherType, FIRST_ETHER_TYPE } from "../link/link-payload.js";
import { LinkType } from "../link/link-type.js";
import { blockedBy, type Carrier, lacks, leadsTo, leadsToFrame, type Tunnelled } from "../link/tunnelled.js";
import { readTzsp } from "../link/tzsp.js";
import { etherTypeName, isUsedEtherType } from "../names.js";
import { readArubaMirror } from "./aruba.js";
import { readAyiya } from "./ayiya.js";
import { readCapwap } from "./capwap.js";
import { readGre } from "./gre.js";
import { readGue } from "./gue.js";
import { readL2tp, readL2tp3 } from "./l2tp.js";
import { readLisp } from "./lisp.js";
import { readTunnelledMpls } from "./mpls.js";
import { readTeredo } from "./teredo.js";
import { readVxlan, readVxlanGpe } from "./vxlan.js";

/**
 * Looks for a tunnel in the payload of IP: IP in IP (RFC 2003, RFC 2473), 6in4 (RFC 4213), GRE, EtherIP,
 * L2TPv3 and MPLS (RFC 4023).
 * @returns whether there is one.
 */
export function readIpTunnel(ip: IpPacket, out: Tunnelled): boolean {
  switch (ip.protocol) {
    case IpProtocol.ipv4:
      return leadsTo(out, EtherType.ipv4, ip.payloadStart, Encapsulation.ip);
    case IpProtocol.ipv6:
      return leadsTo(out, EtherType.ipv6, ip.payloadStart, Encapsulation.ip);
    case IpProtocol.gre:
      return readGre(carrierOf(ip.data, ip), out);
    case IpProtocol.etherIp:
      return readEtherIp(carrierOf(ip.data, ip), out);
    case IpProtocol.l2tp:
      return readL2tp3(carrierOf(ip.data, ip), out);
    case IpProtocol.mpls:
      return readTunnelledMpls(carrierOf(ip.data, ip), out);
    default:
      return false;
  }
}

const ETHER_IP_HEADER = 2;
const ETHER_IP_VERSION = 3;

/** RFC 3378, section 3. */
function readEtherIp(carrier: Carrier, out: Tunnelled): true {
  const { data, start, end } = carrier;
  if (start + ETHER_IP_HEADER > end) return lacks(out, "EtherIP", carrier, start + ETHER_IP_HEADER);
  const version = (data[start] ?? 0) >>> 4;
  if (version !== ETHER_IP_VERSION) return blockedBy(out, `EtherIP version ${version}`);
  return leadsToFrame(out, LinkType.ethernet, start + ETHER_IP_HEADER, Encapsulation.etherIp);
}

/** UDP ports (IANA registry) of tunnels; the second one of VXLAN is what Linux used before one was registered. */
const Port = {
  l2tp: 1701,
  gtp: 2152,
  teredo: 3544,
  lisp: 4341,
  gre: 4754,
  vxlan: 4789,
  vxlanGpe: 4790,
  ayiya: 5072,
  capwapControl: 5246,
  capwapData: 5247,
  aruba: 5555,
  gue: 6080,
  geneve: 6081,
  mpls: 6635,
  vxlanOld: 8472,
  tzsp: 37008,
} as const;

/**
 * Looks for a tunnel in a UDP datagram. The destination port suggests one (for those in which the server answers to the
 * port that it was asked from, the source port, too), but ports have other uses: a datagram that does not look like the
 * tunnel's header stays a datagram.
 * @returns whether there is one.
 */
export function readUdpTunnel(data: Uint8Array, datagram: UdpDatagram, out: Tunnelled): boolean {
  switch (datagram.destinationPort) {
    case Port.vxlan:
    case Port.vxlanOld:
      return readVxlan(carrierOf(data, datagram), out);
    case Port.vxlanGpe:
      return readVxlanGpe(carrierOf(data, datagram), out);
    case Port.geneve:
      return readGeneve(carrierOf(data, datagram), out);
    case Port.gtp:
      return readGtp(carrierOf(data, datagram), out);
    case Port.gre:
      return readGreInUdp(carrierOf(data, datagram), out);
    case Port.mpls:
      return readTunnelledMpls(carrierOf(data, datagram), out);
    case Port.lisp:
      return readLisp(carrierOf(data, datagram), out);
    case Port.gue:
      return readGue(carrierOf(data, datagram), out);
    case Port.tzsp:
      return readTzsp(carrierOf(data, datagram), out);
    case Port.aruba:
      return readArubaMirror(carrierOf(data, datagram), out);
    default:
      return (
        readAnswered(data, datagram, datagram.destinationPort, out) ||
        readAnswered(data, datagram, datagram.sourcePort, out)
      );
  }
}

/** The tunnels of which either port may be the registered one. */
function readAnswered(data: Uint8Array, datagram: UdpDatagram, port: number, out: Tunnelled): boolean {
  switch (port) {
    case Port.l2tp:
      return readL2tp(carrierOf(data, datagram), out);
    case Port.teredo:
      return readTeredo(carrierOf(data, datagram), out);
    case Port.ayiya:
      return readAyiya(carrierOf(data, datagram), out);
    case Port.capwapControl:
    case Port.capwapData:
      return readCapwap(carrierOf(data, datagram), port === Port.capwapControl, out);
    default:
      return false;
  }
}

/** Where the payload of an IP packet or a datagram is. */
function carrierOf(data: Uint8Array, { payloadStart, payloadEnd, missing }: IpPacket | UdpDatagram): Carrier {
  return { data, start: payloadStart, end: payloadEnd, missing };
}

/** The bits of a GRE header that are 0 in UDP (RFC 8086, section 3.2, RFC 2784, section 2.1): all but three flags. */
const GRE_RESERVED = 0x4fff;

/** RFC 8086. */
function readGreInUdp(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start, end } = carrier;
  if (start + 4 > end || (u16(data, start) & GRE_RESERVED) !== 0) return false;
  return isUsedEtherType(u16(data, start + 2)) && readGre(carrier, out);
}

const GENEVE_HEADER = 8;

/** RFC 8926, section 3.4. */
function readGeneve(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start: at, end } = carrier;
  const first = data[at] ?? 0;
  const start = at + GENEVE_HEADER + (first & 0x3f) * 4;
  const isHeader = first >>> 6 === 0 && ((data[at + 1] ?? 0) & 0x3f) === 0 && data[at + 7] === 0;
  const type = u16(data, at + 2);
  if (at + GENEVE_HEADER > end || !isHeader || type < FIRST_ETHER_TYPE) return false;
  if (type !== EtherType.transparentEthernet && type !== EtherType.ipv4 && type !== EtherType.ipv6) {
    return blockedBy(out, `GENEVE with ${etherTypeName(type)}`);
  }
  if (start > end) return lacks(out, "GENEVE", carrier, start);
  return leadsTo(out, type, start, Encapsulation.geneve, u24(data, at + 4));
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
function readGtp(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start: at, end, missing } = carrier;
  const flags = data[at] ?? 0;
  if (at + GTP_HEADER > end || (flags & GTP_VERSION_MASK) !== GTP_VERSION || data[at + 1] !== GTP_PACKET) return false;
  const contentEnd = at + GTP_HEADER + u16(data, at + 2);
  if (contentEnd > end + missing) return false;
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
  if (start >= contentEnd) return blockedBy(out, "malformed GTP-U header");
  if (start >= end) return lacks(out, "GTP-U", carrier, start + 1);
  const version = (data[start] ?? 0) >>> 4;
  if (version !== 4 && version !== 6) return blockedBy(out, "GTP-U without IP");
  // The tunnel endpoint identifier is the receiver's: the other direction has a different one.
  leadsTo(out, version === 4 ? EtherType.ipv4 : EtherType.ipv6, start, Encapsulation.gtp);
  out.end = contentEnd;
  return true;
}
