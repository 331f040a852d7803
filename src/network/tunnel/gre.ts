import { i32, u16 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { EtherType, FIRST_ETHER_TYPE, tooLong } from "../link/link-payload.js";
import { LinkType } from "../link/link-type.js";
import { blockedBy, type Carrier, lacks, leadsTo, leadsToFrame, type Tunnelled } from "../link/tunnelled.js";

/** GRE flags and version (RFC 2784, RFC 2890; RFC 2637 for version 1). */
const Gre = {
  checksum: 0x8000,
  routing: 0x4000,
  key: 0x2000,
  sequence: 0x1000,
  acknowledgment: 0x0080,
  version: 0x0007,
} as const;
const HEADER = 4;
const FIELD = 4;

/** Protocol types beyond EtherTypes. */
const GreType = {
  /** MikroTik's Ethernet over IP, in version 1. */
  eoip: 0x6400,
  /** PPP, in version 1 with a length and a call (RFC 2637, section 4.1). */
  ppp: 0x880b,
  /** IPv4 that a web cache gets, in version 2 of the protocol after four bytes of its own (draft-wilson-wrec-wccp-v2). */
  wccp: 0x883e,
  /** Frames mirrored by a switch (draft-foschiano-erspan); type I has no header of its own. */
  erspan: 0x88be,
  erspan3: 0x22eb,
} as const;
/** Numbers that Aruba's access points use for IEEE 802.11 frames: these and each sixteenth between (Wireshark). */
const ARUBA_FIRST = 0x8200;
const ARUBA_LAST = 0x8370;

const UNKNOWN = "GRE of an unknown kind";

/** Reads what GRE carries, in IP or in UDP. */
export function readGre(carrier: Carrier, out: Tunnelled): true {
  const { data, start, end } = carrier;
  if (start + HEADER > end) return lacks(out, "GRE", carrier, start + HEADER);
  const flags = u16(data, start);
  const type = u16(data, start + 2);
  const version = flags & Gre.version;
  if (version > 1 || (flags & Gre.routing) !== 0) return blockedBy(out, UNKNOWN);
  let at = start + HEADER;
  if ((flags & Gre.checksum) !== 0) at += FIELD;
  const keyAt = at;
  const hasKey = (flags & Gre.key) !== 0;
  if (hasKey) at += FIELD;
  if ((flags & Gre.sequence) !== 0) at += FIELD;
  if (version === 1 && (flags & Gre.acknowledgment) !== 0) at += FIELD;
  if (at > end) return lacks(out, "GRE", carrier, at);
  if (version === 1) return hasKey ? readVersion1(carrier, type, keyAt, at, out) : blockedBy(out, UNKNOWN);
  if (type < FIRST_ETHER_TYPE) return blockedBy(out, UNKNOWN);
  const encapsulation = hasKey ? Encapsulation.greKey : Encapsulation.gre;
  const key = hasKey ? i32(data, keyAt) : 0;
  if (type === GreType.ppp) return leadsToFrame(out, LinkType.ppp, at, encapsulation, key);
  if (type === GreType.erspan && (flags & Gre.sequence) === 0) {
    return leadsToFrame(out, LinkType.ethernet, at, encapsulation, key);
  }
  if (type === GreType.erspan) return readErspan(carrier, at, at + ERSPAN_HEADER, out, encapsulation, key);
  if (type === GreType.erspan3) {
    const hasSubheader = ((data[at + 11] ?? 0) & 1) === 1;
    const after = at + ERSPAN_3_HEADER + (hasSubheader ? ERSPAN_3_SUBHEADER : 0);
    return readErspan(carrier, at, after, out, encapsulation, key);
  }
  if (type === GreType.wccp) {
    const isPlain = (data[at] ?? 0) >>> 4 === 4;
    return leadsTo(out, EtherType.ipv4, isPlain ? at : at + WCCP_HEADER, encapsulation, key);
  }
  const isAruba = type >= ARUBA_FIRST && type <= ARUBA_LAST && type % 16 === 0;
  return isAruba
    ? leadsToFrame(out, LinkType.ieee80211, at, encapsulation, key)
    : leadsTo(out, type, at, encapsulation, key);
}

const WCCP_HEADER = 4;

/** In version 1 the key is the length of the content and a number: of a call, which each end chooses for itself. */
function readVersion1(carrier: Carrier, type: number, keyAt: number, at: number, out: Tunnelled): true {
  const { data, end, missing } = carrier;
  if (type !== GreType.ppp && type !== GreType.eoip) return blockedBy(out, UNKNOWN);
  const contentEnd = at + u16(data, keyAt);
  if (contentEnd > end + missing) return blockedBy(out, tooLong("GRE"));
  if (type === GreType.ppp) leadsToFrame(out, LinkType.ppp, at, Encapsulation.gre);
  // The same number at both ends, least significant byte first.
  else
    leadsToFrame(
      out,
      LinkType.ethernet,
      at,
      Encapsulation.greKey,
      (data[keyAt + 2] ?? 0) | ((data[keyAt + 3] ?? 0) << 8),
    );
  out.end = contentEnd;
  return true;
}

const ERSPAN_HEADER = 8;
const ERSPAN_3_HEADER = 12;
const ERSPAN_3_SUBHEADER = 8;
/** In the second 16 bits: the switch cut the frame. */
const ERSPAN_TRUNCATED = 0x0400;
/** Types of frames in type III. */
const ErspanFrame = { ethernet: 0, ip: 2 } as const;

function readErspan(
  carrier: Carrier,
  at: number,
  after: number,
  out: Tunnelled,
  encapsulation: Encapsulation,
  key: number,
): true {
  const { data, end } = carrier;
  if (after > end) return lacks(out, "ERSPAN", carrier, after);
  const frame = after - at > ERSPAN_HEADER ? (u16(data, at + 10) >>> 10) & 0x1f : ErspanFrame.ethernet;
  if (frame === ErspanFrame.ethernet) leadsToFrame(out, LinkType.ethernet, after, encapsulation, key);
  else if (frame === ErspanFrame.ip) leadsToFrame(out, LinkType.rawIp, after, encapsulation, key);
  else return blockedBy(out, `ERSPAN with frame type ${frame}`);
  if ((u16(data, at + 2) & ERSPAN_TRUNCATED) !== 0) out.originalLength = Number.POSITIVE_INFINITY;
  return true;
}
