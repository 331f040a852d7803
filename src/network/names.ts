import { LinkType } from "./link-type.js";

/**
 * Names for packets that go no further, in the counts of what was not understood. A run needs few of these names, and
 * each of them once per dropped packet.
 */

/** EtherTypes (IEEE registry) that share a network with the Internet protocols. */
const ETHER_TYPES = new Map<number, string>([
  [0x0806, "ARP"],
  [0x0842, "Wake-on-LAN"],
  [0x8035, "RARP"],
  [0x8863, "PPPoE discovery"],
  [0x888e, "EAPOL"],
  [0x88cc, "LLDP"],
  [0x88e5, "MACsec"],
]);

/** Protocol numbers of IPv4 and IPv6 (IANA registry). */
const PROTOCOLS = new Map<number, string>([
  [1, "ICMP"],
  [2, "IGMP"],
  [50, "ESP"],
  [58, "ICMPv6"],
  [59, "IPv6 without a next header"],
  [89, "OSPF"],
  [103, "PIM"],
  [112, "VRRP"],
  [132, "SCTP"],
  [136, "UDP-Lite"],
]);

/** Link types (tcpdump registry) that people may come across. */
const LINK_TYPES = new Map<number, string>([
  [119, "IEEE 802.11 with Prism header"],
  [147, "private use"],
  [163, "IEEE 802.11 with AVS header"],
  [189, "USB with Linux header"],
  [LinkType.ppi, "per-packet information"],
  [195, "IEEE 802.15.4"],
  [220, "USB with padded Linux header"],
  [249, "USBPcap"],
  [251, "Bluetooth LE"],
]);

/** Service access points of LLC (IEEE 802.2) that share a network with the Internet protocols. */
const SERVICE_ACCESS_POINTS = new Map<number, string>([
  [0x42, "spanning tree"],
  [0xe0, "IPX"],
  [0xf0, "NetBIOS"],
  [0xfe, "OSI"],
  [0xff, "IPX"],
]);

/** Protocols of PPP (IANA registry). */
const PPP_PROTOCOLS = new Map<number, string>([
  [0x002d, "Van Jacobson compressed TCP"],
  [0x002f, "Van Jacobson uncompressed TCP"],
  [0x003d, "multilink"],
  [0x0053, "encryption"],
  [0x00fd, "compression"],
  [0x8021, "IPCP"],
  [0x8057, "IPv6CP"],
  [0x80fd, "CCP"],
  [0xc021, "LCP"],
  [0xc023, "PAP"],
  [0xc223, "CHAP"],
]);

export function etherTypeName(etherType: number): string {
  return ETHER_TYPES.get(etherType) ?? `EtherType 0x${etherType.toString(16).padStart(4, "0")}`;
}

export function llcName(serviceAccessPoint: number): string {
  const number = `0x${serviceAccessPoint.toString(16).padStart(2, "0")}`;
  return `IEEE 802.2 LLC (${SERVICE_ACCESS_POINTS.get(serviceAccessPoint) ?? number})`;
}

/** SNAP of an organisation with protocols of its own. */
export function snapName(organisation: number): string {
  return `SNAP (organisation 0x${organisation.toString(16).padStart(6, "0")})`;
}

export function pppName(protocol: number): string {
  return `PPP (${PPP_PROTOCOLS.get(protocol) ?? `protocol 0x${protocol.toString(16).padStart(4, "0")}`})`;
}

export function protocolName(protocol: number): string {
  return PROTOCOLS.get(protocol) ?? `IP protocol ${protocol}`;
}

export function linkTypeName(linkType: number): string {
  const name = LINK_TYPES.get(linkType);
  return name === undefined ? `link type ${linkType}` : `link type ${linkType} (${name})`;
}
