import { u16 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { internetChecksum } from "../ip/checksums.js";
import { EtherType, tooLong } from "../link/link-payload.js";
import { LinkType } from "../link/link-type.js";
import { blockedBy, type Carrier, lacks, leadsTo, leadsToFrame, type Tunnelled } from "../link/tunnelled.js";
import { hasPppName } from "../names.js";

/** Flags and version (RFC 2661, section 3.1; RFC 3931, section 4.1.2.1 for version 3). */
const Flag = { control: 0x8000, length: 0x4000, sequence: 0x0800, offset: 0x0200, version: 0x000f } as const;
/** The bits that are 0 in every message. */
const RESERVED = 0x34f0;
const FLAGS = 2;
const FIELD = 2;
/** Tunnel and session; two sequence numbers. */
const IDENTIFIERS = 4;
const SEQUENCE = 4;
const SESSION_3 = 4;

/**
 * Reads what L2TP carries in UDP; false if it is something else. The identifiers are the receiver's, so the two
 * directions of a tunnel have different ones.
 */
export function readL2tp(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start, end, missing } = carrier;
  const flags = u16(data, start);
  const version = flags & Flag.version;
  if (start + FLAGS + IDENTIFIERS > end || (flags & RESERVED) !== 0 || (version !== 2 && version !== 3)) return false;
  const isControl = (flags & Flag.control) !== 0;
  if (isControl) {
    const isControlHeader = (flags & Flag.length) !== 0 && (flags & Flag.sequence) !== 0;
    if (!isControlHeader || start + u16(data, start + FLAGS) > end + missing) return false;
    return blockedBy(out, version === 2 ? "L2TP control message" : "L2TPv3 control message");
  }
  // Two reserved bytes precede the session.
  if (version === 3) return flags === 3 && u16(data, start + 2) === 0 && readSession(carrier, start + 4, out);
  let at = start + FLAGS;
  const hasLength = (flags & Flag.length) !== 0;
  const contentEnd = hasLength ? start + u16(data, at) : Number.POSITIVE_INFINITY;
  if (hasLength) at += FIELD;
  at += IDENTIFIERS;
  if ((flags & Flag.sequence) !== 0) at += SEQUENCE;
  if ((flags & Flag.offset) !== 0) at += FIELD + u16(data, at);
  if (hasLength && contentEnd > end + missing) return blockedBy(out, tooLong("L2TP"));
  if (at > contentEnd) return blockedBy(out, "malformed L2TP header");
  // What is a header and nothing else may be a short message of something else.
  if (at >= end + missing) return false;
  if (at > end) return lacks(out, "L2TP", carrier, at);
  if (!isPpp(carrier, at)) return false;
  leadsToFrame(out, LinkType.ppp, at, Encapsulation.l2tp);
  out.end = contentEnd;
  return true;
}

/** Whether what follows is PPP with a known protocol, as far as it was captured: messages of others begin like L2TP. */
function isPpp({ data, end, missing }: Carrier, start: number): boolean {
  const at = u16(data, start) === PPP_START ? start + 2 : start;
  if (at + 2 > end) return missing > 0;
  const first = data[at] ?? 0;
  const protocol = (first & 1) === 1 ? first : u16(data, at);
  return PPP_IP.has(protocol) || PPP_MPLS.has(protocol) || hasPppName(protocol);
}

/** Reads what version 3 carries in IP (RFC 3931, section 4.1.1). */
export function readL2tp3(carrier: Carrier, out: Tunnelled): true {
  const { data, start, end } = carrier;
  if (start + SESSION_3 > end) return lacks(out, "L2TPv3", carrier, start + SESSION_3);
  const isControl = u16(data, start) === 0 && u16(data, start + 2) === 0;
  return isControl ? blockedBy(out, "L2TPv3 control message") : readSession(carrier, start, out);
}

/** Lengths of what may follow the session: a cookie of 0, 4 or 8 bytes, and a sublayer of 0 or 4. */
const BEFORE_CONTENT = [0, 4, 8, 12];

/**
 * Reads the content of a session. Its kind, and what precedes it, are only agreed on in control messages; but an IP
 * header shows by its length and its checksum that it is one.
 */
function readSession(carrier: Carrier, start: number, out: Tunnelled): true {
  for (const before of BEFORE_CONTENT) {
    const at = start + SESSION_3 + before;
    const ethernet = afterAddresses(carrier.data, at);
    if (isIp(carrier, u16(carrier.data, ethernet - 2), ethernet)) {
      return leadsToFrame(out, LinkType.ethernet, at, Encapsulation.l2tp);
    }
    const ppp = u16(carrier.data, at) === PPP_START ? at + 2 : at;
    const etherType = PPP_IP.get(u16(carrier.data, ppp));
    if (etherType !== undefined && isIp(carrier, etherType, ppp + 2)) {
      return leadsToFrame(out, LinkType.ppp, at, Encapsulation.l2tp);
    }
    const version = (carrier.data[at] ?? 0) >>> 4;
    const type = version === 4 ? EtherType.ipv4 : EtherType.ipv6;
    if (isIp(carrier, type, at)) return leadsTo(out, type, at, Encapsulation.l2tp);
  }
  return blockedBy(out, "L2TPv3 without a visible IP header");
}

/** Address and control field of PPP, and its protocols for IP. */
const PPP_START = 0xff03;
const PPP_IP = new Map<number, number>([
  [0x0021, EtherType.ipv4],
  [0x0057, EtherType.ipv6],
]);

const PPP_MPLS = new Set([0x0281, 0x0283]);

const ADDRESSES = 12;
const VLAN_TAG = 4;
const MOST_TAGS = 2;

/** The offset after the EtherType of an Ethernet frame and its VLAN tags. */
function afterAddresses(data: Uint8Array, start: number): number {
  let at = start + ADDRESSES;
  for (let tags = 0; tags < MOST_TAGS; tags++) {
    const type = u16(data, at);
    if (type !== EtherType.vlan && type !== EtherType.serviceVlan) break;
    at += VLAN_TAG;
  }
  return at + 2;
}

const IPV4_HEADER = 20;
const IPV6_HEADER = 40;

/** Whether an IP header is at an offset, beyond doubt: its length fits, and its checksum where it has one. */
function isIp({ data, end, missing }: Carrier, etherType: number, at: number): boolean {
  const first = data[at] ?? 0;
  const wireEnd = end + missing;
  if (etherType === EtherType.ipv6) {
    const isWhole = first >>> 4 === 6 && at + IPV6_HEADER <= end;
    return isWhole && at + IPV6_HEADER + u16(data, at + 4) <= wireEnd;
  }
  const length = (first & 0xf) * 4;
  if (etherType !== EtherType.ipv4 || first >>> 4 !== 4 || length < IPV4_HEADER || at + length > end) return false;
  const total = u16(data, at + 2);
  return total >= length && at + total <= wireEnd && internetChecksum(data, at, at + length) === 0;
}
