import { u16, u24 } from "./bytes.js";
import { CUT, EtherType, FIRST_ETHER_TYPE, found, type LinkPayload } from "./link-payload.js";
import { etherTypeName, llcName, snapName } from "./names.js";
import { Passage, type Paths, TOO_MANY_PATHS, TOO_MANY_PATHS_TEXT } from "./paths.js";
import { readPppoe } from "./ppp.js";

const ETHERNET_HEADER = 14;
const TAG_LENGTH = 4;
const LABEL_LENGTH = 4;
const CONTROL_WORD = 4;
const LLC_HEADER = 3;
const SNAP_HEADER = 8;

/** Reads an Ethernet frame (IEEE 802.3, clause 3). The functions here return what `readLink` does. */
export function readEthernet(data: Uint8Array, start: number, paths: Paths, out: LinkPayload): string | undefined {
  const type = u16(data, start + 12);
  const at = start + ETHERNET_HEADER;
  // What nearly all packets are.
  if (type === EtherType.ipv4 && at <= data.length) return found(type, at, out);
  return readEtherType(data, at, type, paths, out);
}

/** Reads on after an EtherType, or the length in its place: through VLAN tags, SNAP, MPLS and PPPoE. */
export function readEtherType(
  data: Uint8Array,
  start: number,
  etherType: number,
  paths: Paths,
  out: LinkPayload,
): string | undefined {
  let at = start;
  let type = etherType;
  for (;;) {
    if (at > data.length) return CUT;
    switch (type) {
      case EtherType.ipv4:
      case EtherType.ipv6:
        return found(type, at, out);
      case EtherType.vlan:
      case EtherType.serviceVlan:
      case EtherType.oldServiceVlan: {
        if (at + TAG_LENGTH > data.length) return CUT;
        if (!out.enterTag()) return "too many VLAN tags";
        const id = u16(data, at) & 0xfff;
        // VLAN 0 is none: the tag only gives a priority (IEEE 802.1Q, 9.6).
        if (id !== 0) out.path = paths.through(out.path, Passage.vlan, id);
        if (out.path === TOO_MANY_PATHS) return TOO_MANY_PATHS_TEXT;
        type = u16(data, at + 2);
        at += TAG_LENGTH;
        break;
      }
      case EtherType.mpls:
      case EtherType.mplsMulticast:
        return readMpls(data, at, paths, out);
      case EtherType.pppoe:
        return readPppoe(data, at, paths, out);
      default: {
        if (type >= FIRST_ETHER_TYPE) return etherTypeName(type);
        const next = llcType(data, at);
        if (typeof next === "string") return next;
        at += next === EtherType.ipv4 && data[at] === LLC_IP ? LLC_HEADER : SNAP_HEADER;
        type = next;
      }
    }
  }
}

const LLC_SNAP = 0xaa;
/** The service access point of IP before SNAP (RFC 948). */
const LLC_IP = 0x06;
const UNNUMBERED_INFORMATION = 0x03;

/**
 * Returns the EtherType that an LLC header leads to, by SNAP (RFC 1042) or as the old number for IP; else what it is.
 */
function llcType(data: Uint8Array, at: number): number | string {
  if (at + LLC_HEADER > data.length) return CUT;
  const destination = data[at] ?? 0;
  const plain = data[at + 2] === UNNUMBERED_INFORMATION && data[at + 1] === destination;
  if (plain && destination === LLC_IP) return EtherType.ipv4;
  if (!plain || destination !== LLC_SNAP) return llcName(destination);
  if (at + SNAP_HEADER > data.length) return CUT;
  const organisation = u24(data, at + 3);
  const type = u16(data, at + 6);
  // 0x0000f8 (IEEE 802.1H) is for bridged Ethernet frames; it is followed by an EtherType, too.
  const isEthernet = organisation === 0 || organisation === 0x0000f8;
  return isEthernet && type >= FIRST_ETHER_TYPE ? type : snapName(organisation);
}

/**
 * Skips a stack of MPLS labels (RFC 3032, section 2). Only the first four bits of what follows show what it is: those
 * of an IP header are its version; 0 is the control word of a pseudowire (RFC 4385), which here has to carry Ethernet.
 */
export function readMpls(data: Uint8Array, start: number, paths: Paths, out: LinkPayload): string | undefined {
  let at = start;
  let isLast = false;
  while (!isLast) {
    if (at + LABEL_LENGTH > data.length) return CUT;
    isLast = ((data[at + 2] ?? 0) & 1) === 1;
    at += LABEL_LENGTH;
  }
  if (at >= data.length) return CUT;
  const first = (data[at] ?? 0) >>> 4;
  if (first === 4) return found(EtherType.ipv4, at, out);
  if (first === 6) return found(EtherType.ipv6, at, out);
  if (first !== 0) return "MPLS without IP";
  return readInner(data, at + CONTROL_WORD, paths, out);
}

/** Reads an Ethernet frame within a frame. */
function readInner(data: Uint8Array, start: number, paths: Paths, out: LinkPayload): string | undefined {
  return out.enterFrame() ? readEthernet(data, start, paths, out) : "too many nested frames";
}
