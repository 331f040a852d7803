import { u16Little } from "./bytes.js";
import { readEtherType } from "./ethernet.js";
import { CUT, type LinkPayload } from "./link-payload.js";
import type { Paths } from "./paths.js";

// Source: IEEE 802.11-2020, clause 9.2.4; radiotap.org. Numbers are little-endian.

const SHORTEST_HEADER = 24;
/** No EtherType but an LLC header follows, as after a length. */
const LLC = 0;
const FOURTH_ADDRESS = 6;
const QOS_CONTROL = 2;
const HT_CONTROL = 4;

/** Types of frames, and bits of a data frame's subtype. */
const TYPES = ["management", "control", "data", "extension"] as const;
const DATA = 2;
const SUBTYPE_WITHOUT_DATA = 0x4;
const SUBTYPE_QOS = 0x8;

/** Flags in the second byte. */
const Flag = { toDs: 0x01, fromDs: 0x02, moreFragments: 0x04, protected: 0x40, order: 0x80 } as const;

/** In the QoS control field: several frames are in this one. */
const AGGREGATE = 0x80;

/** Whether the header is padded to a multiple of four bytes. */
type HeaderPadding = "padded" | "unpadded";

/** Reads a frame of a wireless network: follows data frames that are not encrypted, and returns what any other is. */
export function readIeee80211(
  data: Uint8Array,
  start: number,
  padding: HeaderPadding,
  paths: Paths,
  out: LinkPayload,
): string | undefined {
  if (start + 2 > data.length) return CUT;
  const control = data[start] ?? 0;
  const flags = data[start + 1] ?? 0;
  const type = (control >>> 2) & 3;
  const subtype = control >>> 4;
  if ((control & 3) !== 0) return "IEEE 802.11 of an unknown version";
  if (type !== DATA) return `IEEE 802.11 ${TYPES[type]}`;
  if ((subtype & SUBTYPE_WITHOUT_DATA) !== 0) return "IEEE 802.11 data frame without data";
  if ((flags & Flag.protected) !== 0) return "IEEE 802.11 protected frame";
  let length = SHORTEST_HEADER;
  if ((flags & Flag.toDs) !== 0 && (flags & Flag.fromDs) !== 0) length += FOURTH_ADDRESS;
  const qosAt = start + length;
  const hasQos = (subtype & SUBTYPE_QOS) !== 0;
  if (hasQos) length += QOS_CONTROL;
  if (hasQos && (flags & Flag.order) !== 0) length += HT_CONTROL;
  if (padding === "padded") length += -length & 3;
  const at = start + length;
  if (at > data.length) return CUT;
  const isFragment = (flags & Flag.moreFragments) !== 0 || ((data[start + 22] ?? 0) & 0xf) !== 0;
  if (isFragment) return "IEEE 802.11 fragment";
  if (hasQos && ((data[qosAt] ?? 0) & AGGREGATE) !== 0) return "IEEE 802.11 aggregate (A-MSDU)";
  return readEtherType(data, at, LLC, paths, out);
}

const RADIOTAP_SHORTEST = 8;
/** Bits of the word that says which fields are present: the first two fields. */
const Present = { time: 0x01, flags: 0x02 } as const;
/** The highest bit, in the last byte of the word: another such word follows. */
const PRESENT_MORE = 0x80;
const TIME_LENGTH = 8;
/** Flags that matter here: the header is padded, and the frame was damaged. */
const RadiotapFlag = { padded: 0x20, badChecksum: 0x40 } as const;

/** Reads the header that recorders put before the frame (radiotap.org, "Radiotap header format"). */
export function readRadiotap(data: Uint8Array, start: number, paths: Paths, out: LinkPayload): string | undefined {
  if (data.length < start + RADIOTAP_SHORTEST) return CUT;
  const length = u16Little(data, start + 2);
  if (data[start] !== 0 || length < RADIOTAP_SHORTEST) return "malformed radiotap header";
  const present = data[start + 4] ?? 0;
  let flags = 0;
  if ((present & Present.flags) !== 0) {
    let at = 4;
    while (((data[start + at + 3] ?? 0) & PRESENT_MORE) !== 0 && at + 4 < length) at += 4;
    at += 4;
    // Fields are aligned to their own length, counted from the beginning of the header.
    if ((present & Present.time) !== 0) at = ((at + 7) & ~7) + TIME_LENGTH;
    if (at < length) flags = data[start + at] ?? 0;
  }
  if ((flags & RadiotapFlag.badChecksum) !== 0) return "IEEE 802.11 frame with a wrong checksum";
  return readIeee80211(data, start + length, (flags & RadiotapFlag.padded) !== 0 ? "padded" : "unpadded", paths, out);
}
