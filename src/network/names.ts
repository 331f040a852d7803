/**
 * What a packet is called that goes no further, in the counts of what was not understood. Few of these names are ever
 * needed in one run, and each of them once per packet that is dropped.
 */

/** EtherTypes (IEEE registry) that share a network with the Internet protocols. */
const ETHER_TYPES = new Map<number, string>([
  [0x0806, "ARP"],
  [0x0842, "Wake-on-LAN"],
  [0x8035, "RARP"],
  [0x8847, "MPLS"],
  [0x8848, "MPLS"],
  [0x8863, "PPPoE discovery"],
  [0x8864, "PPPoE"],
  [0x888e, "EAPOL"],
  [0x88cc, "LLDP"],
  [0x88e5, "MACsec"],
]);

/** Protocol numbers of IPv4 and IPv6 (IANA registry). */
const PROTOCOLS = new Map<number, string>([
  [1, "ICMP"],
  [2, "IGMP"],
  [4, "IPv4 in IP"],
  [41, "IPv6 in IP"],
  [47, "GRE"],
  [50, "ESP"],
  [58, "ICMPv6"],
  [59, "IPv6 without a next header"],
  [89, "OSPF"],
  [103, "PIM"],
  [112, "VRRP"],
  [132, "SCTP"],
  [136, "UDP-Lite"],
]);

/** Link types (tcpdump registry) that people may meet. */
const LINK_TYPES = new Map<number, string>([
  [9, "PPP"],
  [105, "IEEE 802.11"],
  [127, "IEEE 802.11 with radiotap header"],
  [147, "private use"],
  [189, "USB with Linux header"],
  [195, "IEEE 802.15.4"],
  [220, "USB with padded Linux header"],
  [249, "USBPcap"],
  [251, "Bluetooth LE"],
]);

/** Lengths below this in the place of an EtherType are lengths of IEEE 802.3 frames. */
const FIRST_ETHER_TYPE = 0x600;

export function etherTypeName(etherType: number): string {
  if (etherType < FIRST_ETHER_TYPE) return "IEEE 802.3 LLC";
  return ETHER_TYPES.get(etherType) ?? `EtherType 0x${etherType.toString(16).padStart(4, "0")}`;
}

export function protocolName(protocol: number): string {
  return PROTOCOLS.get(protocol) ?? `IP protocol ${protocol}`;
}

export function linkTypeName(linkType: number): string {
  const name = LINK_TYPES.get(linkType);
  return name === undefined ? `link type ${linkType}` : `link type ${linkType} (${name})`;
}
