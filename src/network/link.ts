import { u16, u16Little } from "./bytes.js";
import { readEthernet, readEtherType, readMpls } from "./ethernet.js";
import { readIeee80211, readRadiotap } from "./ieee80211.js";
import { CUT, EtherType, FIRST_ETHER_TYPE, found, type LinkPayload } from "./link-payload.js";
import { LinkType } from "./link-type.js";
import { type Framed, readNflog, readPktap, readPpi } from "./metadata-headers.js";
import { linkTypeName } from "./names.js";
import { NO_PATH, type Paths } from "./paths.js";
import { readCiscoHdlc, readHdlc, readPpp, readPppoe } from "./ppp.js";

const FAMILY_LENGTH = 4;
const COOKED_HEADER = 16;
const COOKED2_HEADER = 20;
/** What Linux has in place of an EtherType for frames that have an LLC header instead. */
const COOKED_LLC = 4;

/**
 * Finds the IP header.
 * @returns undefined if it was found, else what the packet is instead.
 */
export function readLink(linkType: number, data: Uint8Array, paths: Paths, out: LinkPayload): string | undefined {
  out.path = NO_PATH;
  out.layers = 0;
  out.tags = 0;
  switch (linkType) {
    case LinkType.ppi:
      return readAfter(readPpi(data), data, paths, out);
    case LinkType.pktap:
      return readAfter(readPktap(data), data, paths, out);
    case LinkType.nflog:
      return readAfter(readNflog(data), data, paths, out);
    default:
      return readFrame(linkType, data, 0, paths, out);
  }
}

/** Reads the frame after a recorder's header; returns why if that is not possible. */
function readAfter(framed: Framed | string, data: Uint8Array, paths: Paths, out: LinkPayload): string | undefined {
  return typeof framed === "string" ? framed : readFrame(framed.linkType, data, framed.start, paths, out);
}

/** Reads a frame, which may follow a recorder's header. */
function readFrame(
  linkType: number,
  data: Uint8Array,
  start: number,
  paths: Paths,
  out: LinkPayload,
): string | undefined {
  switch (linkType) {
    case LinkType.ethernet:
      return readEthernet(data, start, paths, out);
    case LinkType.null:
    case LinkType.loop:
      return byFamily(data, start, out);
    case LinkType.rawIp:
    case LinkType.rawIpOld:
    case LinkType.rawIpOpenBsd:
      return byVersion(data, start, out);
    case LinkType.ipv4:
      return found(EtherType.ipv4, start, out);
    case LinkType.ipv6:
      return found(EtherType.ipv6, start, out);
    case LinkType.linuxCooked:
      return readCooked(data, start + COOKED_HEADER, u16(data, start + 14), paths, out);
    case LinkType.linuxCooked2:
      return readCooked(data, start + COOKED2_HEADER, u16(data, start), paths, out);
    case LinkType.mpls:
      return readMpls(data, start, paths, out);
    case LinkType.ieee80211:
      return readIeee80211(data, start, "unpadded", paths, out);
    case LinkType.radiotap:
      return readRadiotap(data, start, paths, out);
    case LinkType.ppp:
      return readPpp(data, start, paths, out);
    case LinkType.pppHdlc:
      return readHdlc(data, start, paths, out);
    case LinkType.pppd:
    case LinkType.pppWithDirection:
      // The direction takes the place of the address field, or precedes everything.
      return readPpp(data, start + (linkType === LinkType.pppd ? 2 : 1), paths, out);
    case LinkType.ciscoHdlc:
      return readCiscoHdlc(data, start, paths, out);
    case LinkType.ciscoHdlcWithDirection:
      return readCiscoHdlc(data, start + 1, paths, out);
    case LinkType.pppoe:
      return readPppoe(data, start, paths, out);
    default:
      return linkTypeName(linkType);
  }
}

function readCooked(data: Uint8Array, start: number, type: number, paths: Paths, out: LinkPayload): string | undefined {
  // Numbers below `FIRST_ETHER_TYPE` are not EtherTypes (linux/if_ether.h); of these, only LLC's has a payload that can
  // be IP.
  if (type !== COOKED_LLC && type < FIRST_ETHER_TYPE && data.length >= start) return `Linux protocol type ${type}`;
  return readEtherType(data, start, type, paths, out);
}

/**
 * Reads an address family before the packet: in the byte order of the recording machine (null), which need not be ours,
 * or in network byte order (loop). The families are small numbers, so only one order gives a small number.
 */
function byFamily(data: Uint8Array, start: number, out: LinkPayload): string | undefined {
  const after = start + FAMILY_LENGTH;
  if (data.length < after) return CUT;
  const family = u16(data, start) === 0 ? u16(data, start + 2) : u16Little(data, start);
  switch (family) {
    case 2:
      return found(EtherType.ipv4, after, out);
    // IPv6 on Linux; Windows; NetBSD, OpenBSD and BSD/OS; FreeBSD; macOS.
    case 10:
    case 23:
    case 24:
    case 28:
    case 30:
      return found(EtherType.ipv6, after, out);
    default:
      return `address family ${family}`;
  }
}

function byVersion(data: Uint8Array, start: number, out: LinkPayload): string | undefined {
  const version = (data[start] ?? 0) >>> 4;
  if (data.length <= start) return CUT;
  if (version === 4) return found(EtherType.ipv4, start, out);
  return version === 6 ? found(EtherType.ipv6, start, out) : `raw IP version ${version}`;
}
