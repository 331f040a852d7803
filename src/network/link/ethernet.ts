import { u16, u24 } from "../bytes.js";
import { Encapsulation, type Encapsulations, TOO_MANY_PATHS, TOO_MANY_PATHS_TEXT } from "../encapsulations.js";
import { etherTypeName, llcName, snapName } from "../names.js";
import { EtherType, FIRST_ETHER_TYPE, found, type LinkPayload, tooLong } from "./link-payload.js";
import { readPppoe } from "./ppp.js";
import { isUsualFrame } from "./usual-frame.js";

const ETHERNET_HEADER = 14;
const TAG_LENGTH = 4;
const LABEL_LENGTH = 4;
const CONTROL_WORD = 4;
const LLC_HEADER = 3;
const SNAP_HEADER = 8;
/** The I-TAG's flags and its service identifier (IEEE 802.1ah, 9.7), without the frame in it. */
const BACKBONE_TAG = 4;
/** VN-Tag and E-Tag with the EtherType that follows. */
const VN_TAG = 6;
const E_TAG = 8;

/**
 * Reads an Ethernet frame (IEEE 802.3, clause 3). The functions here return what `readLink` does, and read `out.data`.
 */
export function readEthernet(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  const type = u16(data, start + 12);
  const at = start + ETHERNET_HEADER;
  // What nearly all packets are.
  if (type === EtherType.ipv4 && at <= data.length) return found(type, at, out);
  return at > data.length ? out.lacks(at) : readTyped(at, type, encapsulations, out);
}

/** Reads on after an EtherType, or the length in its place (IEEE 802.3, 3.2.6). */
function readTyped(start: number, type: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  if (type >= FIRST_ETHER_TYPE) return readEtherType(start, type, encapsulations, out);
  return out.endAt(start + type) ? readLlc(start, encapsulations, out) : tooLong("IEEE 802.3");
}

/** Reads on after an EtherType: through tags, MPLS and PPPoE. No length can be in its place. */
export function readEtherType(
  start: number,
  etherType: number,
  encapsulations: Encapsulations,
  out: LinkPayload,
): string | undefined {
  if (etherType < FIRST_ETHER_TYPE) return etherTypeName(etherType);
  const { data } = out;
  let at = start;
  let type = etherType;
  for (;;) {
    if (at > data.length) return out.lacks(at);
    switch (type) {
      case EtherType.ipv4:
      case EtherType.ipv6:
        return found(type, at, out);
      case EtherType.vlan:
      case EtherType.serviceVlan:
      case EtherType.oldServiceVlan: {
        if (at + TAG_LENGTH > data.length) return out.lacks(at + TAG_LENGTH);
        if (!out.enterTag()) return "too many VLAN tags";
        const id = u16(data, at) & 0xfff;
        // VLAN 0 is none: the tag only gives a priority (IEEE 802.1Q, 9.6).
        if (id !== 0) out.path = encapsulations.through(out.path, Encapsulation.vlan, id);
        if (out.path === TOO_MANY_PATHS) return TOO_MANY_PATHS_TEXT;
        type = u16(data, at + 2);
        at += TAG_LENGTH;
        break;
      }
      case EtherType.vnTag:
      case EtherType.eTag: {
        // The numbers in these tags name a port for each direction, so they distinguish no conversations.
        const length = type === EtherType.vnTag ? VN_TAG : E_TAG;
        if (at + length > data.length) return out.lacks(at + length);
        if (!out.enterTag()) return "too many VLAN tags";
        type = u16(data, at + length - 2);
        at += length;
        break;
      }
      case EtherType.backbone:
        return readBackbone(at, encapsulations, out);
      case EtherType.mpls:
      case EtherType.mplsMulticast:
        return readMpls(at, encapsulations, out);
      case EtherType.pppoe:
        return readPppoe(at, encapsulations, out);
      default:
        return type >= FIRST_ETHER_TYPE ? etherTypeName(type) : readTyped(at, type, encapsulations, out);
    }
  }
}

const LLC_SNAP = 0xaa;
/** The service access point of IP before SNAP (RFC 948). */
const LLC_IP = 0x06;
const UNNUMBERED_INFORMATION = 0x03;

/** Reads on after an LLC header, by SNAP (RFC 1042) or as the old number for IP. */
export function readLlc(at: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  if (at + LLC_HEADER > data.length) return out.lacks(at + LLC_HEADER);
  const destination = data[at] ?? 0;
  const plain = data[at + 2] === UNNUMBERED_INFORMATION && data[at + 1] === destination;
  if (plain && destination === LLC_IP) return found(EtherType.ipv4, at + LLC_HEADER, out);
  if (!plain || destination !== LLC_SNAP) return llcName(destination);
  if (at + SNAP_HEADER > data.length) return out.lacks(at + SNAP_HEADER);
  const organisation = u24(data, at + 3);
  const type = u16(data, at + 6);
  // 0x0000f8 (IEEE 802.1H) is for bridged Ethernet frames; it is followed by an EtherType, too.
  const isEthernet = organisation === 0 || organisation === 0x0000f8;
  if (!isEthernet || type < FIRST_ETHER_TYPE) return snapName(organisation);
  return readEtherType(at + SNAP_HEADER, type, encapsulations, out);
}

/**
 * Skips a stack of MPLS labels (RFC 3032, section 2). Only the first four bits of what follows show what it is: those
 * of an IP header are its version; 0 is the control word of a pseudowire (RFC 4385), which here has to carry Ethernet;
 * and where a frame of a usual kind follows the labels, there is no such word.
 * The other bits of that word are ignored (RFC 4448, section 4.6): its length belongs to other kinds of pseudowire.
 */
export function readMpls(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  let at = start;
  let isLast = false;
  while (!isLast) {
    if (at + LABEL_LENGTH > data.length) return out.lacks(at + LABEL_LENGTH);
    isLast = ((data[at + 2] ?? 0) & 1) === 1;
    at += LABEL_LENGTH;
  }
  if (at >= data.length) return out.lacks(at + 1);
  const first = (data[at] ?? 0) >>> 4;
  if (first === 4) return found(EtherType.ipv4, at, out);
  if (first === 6) return found(EtherType.ipv6, at, out);
  const isFrame = isUsualFrame(data, at);
  if (first !== 0 && !isFrame) return "MPLS without IP";
  // Without a control word, the first bits are those of a hardware address.
  const hasWord = first === 0 && (!isFrame || isUsualFrame(data, at + CONTROL_WORD));
  return readInner(hasWord ? at + CONTROL_WORD : at, encapsulations, out);
}

/** Reads the frame of a customer in that of a provider (IEEE 802.1ah). */
function readBackbone(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  if (start + BACKBONE_TAG > data.length) return out.lacks(start + BACKBONE_TAG);
  out.path = encapsulations.through(out.path, Encapsulation.backbone, u24(data, start + 1));
  if (out.path === TOO_MANY_PATHS) return TOO_MANY_PATHS_TEXT;
  return readInner(start + BACKBONE_TAG, encapsulations, out);
}

/** Reads an Ethernet frame within a frame. */
function readInner(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  return out.enterFrame() ? readEthernet(start, encapsulations, out) : "too many nested frames";
}
