/**
 * Names for packets that go no further, in the counts of what was not understood. A run needs few of these names, and
 * each of them once per dropped packet.
 */

/** EtherTypes (IEEE registry) that share a network with the Internet protocols, so common that the name is enough. */
const COMMON_ETHER_TYPES = new Map<number, string>([
  [0x0806, "ARP"],
  [0x0842, "Wake-on-LAN"],
  [0x8035, "RARP"],
  [0x8863, "PPPoE discovery"],
  [0x888e, "EAPOL"],
  [0x88cc, "LLDP"],
  [0x88e5, "MACsec"],
]);

/** Further EtherTypes and protocol types of GRE, with the names that Wireshark or the IEEE registry gives them. */
const ETHER_TYPES = new Map<number, string>([
  [0x0bad, "VINES IP"],
  [0x2000, "CDP"],
  [0x2001, "NHRP"],
  [0x22ea, "SRP"],
  [0x22f0, "AVTP"],
  [0x22f3, "TRILL"],
  [0x22f4, "IS-IS"],
  [0x4305, "B.A.T.M.A.N."],
  [0x6002, "DEC MOP"],
  [0x6003, "DECnet"],
  [0x6004, "DEC LAT"],
  [0x6558, "transparent Ethernet bridging"],
  [0x6559, "Frame Relay"],
  [0x8021, "IPCP"],
  [0x809a, "IEEE 802.15.4"],
  [0x809b, "AppleTalk"],
  [0x80f3, "AARP"],
  [0x80fd, "CCP"],
  [0x8102, "BOFL"],
  [0x8137, "IPX"],
  [0x814c, "SNMP"],
  [0x8808, "MAC control"],
  [0x8809, "slow protocols"],
  [0x880b, "PPP"],
  [0x886d, "Intel ANS"],
  [0x886f, "Microsoft NLB"],
  [0x8870, "jumbo LLC"],
  [0x8874, "Broadcom tag"],
  [0x887b, "HomePlug"],
  [0x8892, "PROFINET"],
  [0x8899, "Realtek"],
  [0x88a2, "ATA over Ethernet"],
  [0x88a4, "EtherCAT"],
  [0x88ab, "POWERLINK"],
  [0x88b5, "local experimental 1"],
  [0x88b6, "local experimental 2"],
  [0x88b7, "OUI-extended EtherType"],
  [0x88b8, "GOOSE"],
  [0x88b9, "GSE"],
  [0x88ba, "sampled values"],
  [0x88bb, "LWAPP"],
  [0x88be, "ERSPAN"],
  [0x88c7, "IEEE 802.11i pre-authentication"],
  [0x88ca, "TIPC"],
  [0x88cd, "SERCOS III"],
  [0x88d2, "CDMA2000 A10 unstructured byte stream"],
  [0x88d9, "LLTD"],
  [0x88e1, "HomePlug AV"],
  [0x88e3, "MRP"],
  [0x88f5, "MVRP"],
  [0x88f6, "MMRP"],
  [0x88f7, "PTP"],
  [0x88f8, "NCSI"],
  [0x88fb, "PRP"],
  [0x8902, "CFM"],
  [0x8903, "FabricPath"],
  [0x8906, "FCoE"],
  [0x8909, "CiscoMetaData"],
  [0x8914, "FIP"],
  [0x8915, "RoCE"],
  [0x892f, "HSR"],
  [0x893a, "IEEE 1905"],
  [0x8940, "ECP"],
  [0x8947, "GeoNetworking"],
  [0x894f, "NSH"],
  [0x9000, "loopback"],
  [0x9003, "slow protocols of Broadcom"],
  [0xdada, "EDSA"],
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

/** Less common ones, which are given with their numbers. */
const RARE_PROTOCOLS = new Map<number, string>([
  [3, "GGP"],
  [8, "EGP"],
  [9, "IGRP"],
  [27, "RDP"],
  [33, "DCCP"],
  [46, "RSVP"],
  [51, "AH"],
  [55, "minimal encapsulation"],
  [88, "EIGRP"],
  [94, "IPIP"],
  [98, "ENCAP"],
  [108, "IPComp"],
  [113, "PGM"],
  [124, "IS-IS over IPv4"],
  [133, "Fibre Channel"],
  [137, "MPLS in IP"],
  [143, "Ethernet"],
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

/** What a packet of an EtherType is called: "ARP"; with the number, unless it is common. */
export function etherTypeName(etherType: number): string {
  const number = `EtherType 0x${etherType.toString(16).padStart(4, "0")}`;
  return COMMON_ETHER_TYPES.get(etherType) ?? named(ETHER_TYPES.get(etherType), number);
}

/** Whether a number is an EtherType that networks use, as far as numbers tell: below 0x8000 there are few. */
export function isUsedEtherType(etherType: number): boolean {
  return etherType >= 0x8000 || COMMON_ETHER_TYPES.has(etherType) || ETHER_TYPES.has(etherType) || etherType === 0x0800;
}

/** Name and number: "IEEE 802.15.4 (link type 195)"; only the number of what has no name here. */
export function named(name: string | undefined, number: string): string {
  return name === undefined ? number : `${name} (${number})`;
}

/** IEEE 802.2 LLC for a service access point, one byte: the name of its protocol, or its number in hexadecimal. */
export function llcName(serviceAccessPoint: number): string {
  const number = `0x${serviceAccessPoint.toString(16).padStart(2, "0")}`;
  return `IEEE 802.2 LLC (${SERVICE_ACCESS_POINTS.get(serviceAccessPoint) ?? number})`;
}

/** SNAP of an organisation with protocols of its own. */
export function snapName(organisation: number): string {
  return `SNAP (organisation 0x${organisation.toString(16).padStart(6, "0")})`;
}

/** PPP with a protocol of its own numbering: "PPP (LCP)". */
export function pppName(protocol: number): string {
  return `PPP (${PPP_PROTOCOLS.get(protocol) ?? `protocol 0x${protocol.toString(16).padStart(4, "0")}`})`;
}

/** Whether a protocol of PPP has a name here. */
export function hasPppName(protocol: number): boolean {
  return PPP_PROTOCOLS.has(protocol);
}

/** What a packet of an IP protocol number is called: "ICMP"; with the number, unless it is common. */
export function protocolName(protocol: number): string {
  return PROTOCOLS.get(protocol) ?? named(RARE_PROTOCOLS.get(protocol), `IP protocol ${protocol}`);
}
