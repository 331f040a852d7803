import { u16 } from "./bytes.js";
import { etherTypeName, linkTypeName } from "./names.js";

export const EtherType = { ipv4: 0x0800, ipv6: 0x86dd } as const;

/** Where the IP header of a packet is. */
export class LinkPayload {
  /** `EtherType.ipv4` or `EtherType.ipv6`. */
  etherType = 0;
  /** Offset of the IP header. */
  start = 0;
}

/** Link types of the tcpdump registry; 12 and 14 are what "raw IP" is called by some systems. */
const LinkType = {
  null: 0,
  ethernet: 1,
  rawIpOld: 12,
  rawIpOpenBsd: 14,
  rawIp: 101,
  loop: 108,
  linuxCooked: 113,
  ipv4: 228,
  ipv6: 229,
  linuxCooked2: 276,
} as const;

const ETHERNET_HEADER = 14;
const FAMILY_LENGTH = 4;
const COOKED_HEADER = 16;
const COOKED2_HEADER = 20;
const TAG_LENGTH = 4;

const CUT = "link header cut by the snap length";

/**
 * Finds the IP header.
 * @returns undefined if it was found, else what the packet is instead.
 */
export function readLink(linkType: number, data: Uint8Array, out: LinkPayload): string | undefined {
  switch (linkType) {
    case LinkType.ethernet:
      return byEtherType(data, ETHERNET_HEADER, u16(data, 12), out);
    case LinkType.linuxCooked:
      return byEtherType(data, COOKED_HEADER, u16(data, 14), out);
    case LinkType.linuxCooked2:
      return byEtherType(data, COOKED2_HEADER, u16(data, 0), out);
    case LinkType.null:
    case LinkType.loop:
      return byFamily(data, out);
    case LinkType.rawIp:
    case LinkType.rawIpOld:
    case LinkType.rawIpOpenBsd:
      return byVersion(data, out);
    case LinkType.ipv4:
      return found(EtherType.ipv4, 0, out);
    case LinkType.ipv6:
      return found(EtherType.ipv6, 0, out);
    default:
      return linkTypeName(linkType);
  }
}

function found(etherType: number, start: number, out: LinkPayload): undefined {
  out.etherType = etherType;
  out.start = start;
}

/** Steps over VLAN tags (IEEE 802.1Q and 802.1ad, and 0x9100, which was used for outer tags before 802.1ad). */
function byEtherType(data: Uint8Array, start: number, etherType: number, out: LinkPayload): string | undefined {
  let at = start;
  let type = etherType;
  while ((type === 0x8100 || type === 0x88a8 || type === 0x9100) && at + TAG_LENGTH <= data.length) {
    type = u16(data, at + 2);
    at += TAG_LENGTH;
  }
  if (at > data.length) return CUT;
  if (type !== EtherType.ipv4 && type !== EtherType.ipv6) return etherTypeName(type);
  return found(type, at, out);
}

/**
 * An address family before the packet: in the byte order of the recording machine (null), which need not be ours, or in
 * network byte order (loop). The families are small numbers, so only one order gives a small number.
 */
function byFamily(data: Uint8Array, out: LinkPayload): string | undefined {
  if (data.length < FAMILY_LENGTH) return CUT;
  const upper = u16(data, 0);
  const family = upper === 0 ? u16(data, 2) : (upper >>> 8) | ((upper & 0xff) << 8);
  switch (family) {
    case 2:
      return found(EtherType.ipv4, FAMILY_LENGTH, out);
    // IPv6 on Linux; Windows; NetBSD, OpenBSD and BSD/OS; FreeBSD; macOS.
    case 10:
    case 23:
    case 24:
    case 28:
    case 30:
      return found(EtherType.ipv6, FAMILY_LENGTH, out);
    default:
      return `address family ${family}`;
  }
}

function byVersion(data: Uint8Array, out: LinkPayload): string | undefined {
  const version = (data[0] ?? 0) >>> 4;
  if (data.length === 0) return CUT;
  if (version === 4) return found(EtherType.ipv4, 0, out);
  return version === 6 ? found(EtherType.ipv6, 0, out) : `raw IP of version ${version}`;
}
