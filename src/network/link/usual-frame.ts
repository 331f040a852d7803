import { u16, u24 } from "../bytes.js";
import { isUsedEtherType } from "../names.js";
import { EtherType, FIRST_ETHER_TYPE } from "./link-payload.js";

const ETHERNET_HEADER = 14;
/** LLC headers for SNAP, a spanning tree, IPX, NetBIOS and OSI. */
const LLC = new Set([0xaaaa03, 0x424203, 0xe0e003, 0xf0f003, 0xfefe03, 0xffff03]);
const USUAL = new Set<number>([EtherType.mpls, EtherType.pppoe, 0x0806, 0x88cc]);

/** Whether an Ethernet frame is of a kind that networks consist of. */
export function isUsualFrame(data: Uint8Array, start: number): boolean {
  const type = u16(data, start + 12);
  const version = (data[start + ETHERNET_HEADER] ?? 0) >>> 4;
  if (type === EtherType.ipv4) return version === 4;
  if (type === EtherType.ipv6) return version === 6;
  // Behind a length.
  if (type < FIRST_ETHER_TYPE) return LLC.has(u24(data, start + ETHERNET_HEADER));
  if (type === EtherType.vlan || type === EtherType.serviceVlan) return isUsualTag(data, start + ETHERNET_HEADER);
  return USUAL.has(type);
}

/** Whether what follows the EtherType of a VLAN tag leads on: by chance, two bytes are often those of a tag. */
function isUsualTag(data: Uint8Array, start: number): boolean {
  const type = u16(data, start + 2);
  return type < FIRST_ETHER_TYPE ? LLC.has(u24(data, start + 4)) : isUsedEtherType(type);
}
