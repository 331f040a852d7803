import { u16 } from "../bytes.js";
import type { Encapsulations } from "../encapsulations.js";
import { readEthernet, readEtherType, readLlc, readMpls } from "./ethernet.js";
import { readFddi } from "./fddi.js";
import { readAvs, readIeee80211, readPrism, readRadiotap } from "./ieee80211.js";
import { readInfiniband, readIpOverInfiniband } from "./infiniband.js";
import { EtherType, FIRST_ETHER_TYPE, found, type LinkPayload } from "./link-payload.js";
import { LinkType } from "./link-type.js";
import { linkTypeName } from "./link-type-names.js";
import {
  type Framed,
  familyAt,
  familyType,
  readEnc,
  readExported,
  readNflog,
  readPflog,
  readPktap,
  readPpi,
} from "./metadata-headers.js";
import { readCiscoHdlc, readHdlc, readPpp, readPppoe } from "./ppp.js";
import { frameIn } from "./tzsp.js";

const FAMILY_LENGTH = 4;
const COOKED_HEADER = 16;
const COOKED2_HEADER = 20;
/** What Linux has in place of an EtherType for frames that have an LLC header instead. */
const COOKED_LLC = 4;

/**
 * Finds the IP header in a packet that `out` has begun with.
 * @returns undefined if it was found, else what the packet is instead.
 */
export function readLink(linkType: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  switch (linkType) {
    case LinkType.pktap:
      return readAfter(readPktap(out), encapsulations, out);
    case LinkType.nflog:
      return readAfter(readNflog(out), encapsulations, out);
    case LinkType.pflog:
      return readAfter(readPflog(out), encapsulations, out);
    case LinkType.enc:
    case LinkType.encOld:
      return readAfter(readEnc(out), encapsulations, out);
    case LinkType.exportedPdu:
      return readAfter(readExported(out), encapsulations, out);
    case LinkType.tzsp:
      return readAfter(frameIn(0, out), encapsulations, out);
    case LinkType.ppi:
      return readAfter(readPpi(0, out), encapsulations, out);
    default:
      return readFrame(linkType, 0, encapsulations, out);
  }
}

/** Reads the frame after a recorder's header; returns why if that is not possible. */
function readAfter(framed: Framed | string, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  return typeof framed === "string" ? framed : readFrame(framed.linkType, framed.start, encapsulations, out);
}

/** Reads a frame, which may follow a recorder's header. */
function readFrame(
  linkType: number,
  start: number,
  encapsulations: Encapsulations,
  out: LinkPayload,
): string | undefined {
  switch (linkType) {
    case LinkType.ethernet:
      return readEthernet(start, encapsulations, out);
    case LinkType.null:
    case LinkType.loop:
      return byFamily(start, out);
    case LinkType.rawIp:
    case LinkType.rawIpOld:
    case LinkType.rawIpOpenBsd:
      return byVersion(start, out);
    case LinkType.ipv4:
      return found(EtherType.ipv4, start, out);
    case LinkType.ipv6:
      return found(EtherType.ipv6, start, out);
    case LinkType.linuxCooked:
      return readCooked(start + COOKED_HEADER, u16(out.data, start + 14), encapsulations, out);
    case LinkType.linuxCooked2:
      return readCooked(start + COOKED2_HEADER, u16(out.data, start), encapsulations, out);
    case LinkType.mpls:
      return readMpls(start, encapsulations, out);
    case LinkType.ieee80211:
      return readIeee80211(start, "unpadded", encapsulations, out);
    case LinkType.radiotap:
      return readRadiotap(start, encapsulations, out);
    case LinkType.prism:
      return readPrism(start, encapsulations, out);
    case LinkType.avs:
      return readAvs(start, encapsulations, out);
    case LinkType.fddi:
      return readFddi(start, encapsulations, out);
    case LinkType.ipOverInfiniband:
      return readIpOverInfiniband(start, encapsulations, out);
    case LinkType.infiniband:
      return readInfiniband(start, encapsulations, out);
    case LinkType.ppp:
    case LinkType.pppHdlc:
      return readHdlc(start, encapsulations, out);
    case LinkType.pppd:
    case LinkType.pppWithDirection:
      // The direction takes the place of the address field, or precedes everything.
      return readPpp(start + (linkType === LinkType.pppd ? 2 : 1), encapsulations, out);
    case LinkType.ciscoHdlc:
      return readCiscoHdlc(start, encapsulations, out);
    case LinkType.ciscoHdlcWithDirection:
      return readCiscoHdlc(start + 1, encapsulations, out);
    case LinkType.pppoe:
      return readPppoe(start, encapsulations, out);
    default:
      return linkTypeName(linkType);
  }
}

function readCooked(start: number, type: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  if (start > out.data.length) return out.lacks(start);
  if (type >= FIRST_ETHER_TYPE) return readEtherType(start, type, encapsulations, out);
  // Numbers below are not EtherTypes (linux/if_ether.h); of these, only LLC's has a payload that can be IP.
  return type === COOKED_LLC ? readLlc(start, encapsulations, out) : `Linux protocol type ${type}`;
}

/**
 * Reads an address family before the packet: in the byte order of the recording machine (null), which need not be ours,
 * or in network byte order (loop).
 */
function byFamily(start: number, out: LinkPayload): string | undefined {
  const { data } = out;
  const after = start + FAMILY_LENGTH;
  if (data.length < after) return out.lacks(after);
  const family = familyAt(data, start);
  const etherType = familyType(family);
  return etherType === undefined ? `address family ${family}` : found(etherType, after, out);
}

function byVersion(start: number, out: LinkPayload): string | undefined {
  const { data } = out;
  if (data.length <= start) return out.lacks(start + 1);
  const version = (data[start] ?? 0) >>> 4;
  if (version === 4) return found(EtherType.ipv4, start, out);
  return version === 6 ? found(EtherType.ipv6, start, out) : `raw IP version ${version}`;
}
