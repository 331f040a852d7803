import { u16 } from "../bytes.js";
import { EtherType, FIRST_ETHER_TYPE } from "./link-payload.js";

const ETHERNET_HEADER = 14;
const USUAL = new Set<number>([EtherType.vlan, EtherType.serviceVlan, EtherType.mpls, EtherType.pppoe, 0x0806, 0x88cc]);

/** Whether an Ethernet frame is of a kind that networks consist of. */
export function isUsualFrame(data: Uint8Array, start: number): boolean {
  const type = u16(data, start + 12);
  const version = (data[start + ETHERNET_HEADER] ?? 0) >>> 4;
  if (type === EtherType.ipv4) return version === 4;
  if (type === EtherType.ipv6) return version === 6;
  // Behind a length: an LLC header for SNAP or a spanning tree.
  if (type < FIRST_ETHER_TYPE) return data[start + 14] === data[start + 15] && data[start + 16] === 3;
  return USUAL.has(type);
}
