import { u16, u16Little } from "../bytes.js";
import type { Encapsulations } from "../encapsulations.js";
import { readLlc } from "./ethernet.js";
import { type LinkPayload, tooLong } from "./link-payload.js";

// Source: IEEE 802.11-2020, clause 9.2.4; radiotap.org. Numbers are little-endian.

const SHORTEST_HEADER = 24;
/** Length of the frame check sequence, which recorders may leave at the end of the frame. */
export const FRAME_CHECK_SEQUENCE = 4;
/** What a frame is that was damaged on the way. */
export const DAMAGED = "IEEE 802.11 frame with a wrong checksum";
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
  start: number,
  padding: HeaderPadding,
  encapsulations: Encapsulations,
  out: LinkPayload,
): string | undefined {
  const { data } = out;
  if (start + 2 > data.length) return out.lacks(start + 2);
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
  if (at > data.length) return out.lacks(at);
  const isFragment = (flags & Flag.moreFragments) !== 0 || ((data[start + 22] ?? 0) & 0xf) !== 0;
  if (isFragment) return "IEEE 802.11 fragment";
  if (hasQos && ((data[qosAt] ?? 0) & AGGREGATE) !== 0) return "IEEE 802.11 aggregate (A-MSDU)";
  return readLlc(at, encapsulations, out);
}

const RADIOTAP_SHORTEST = 8;
/** Bits of the word that says which fields are present: the first two fields. */
const Present = { time: 0x01, flags: 0x02 } as const;
/** The highest bit, in the last byte of the word: another such word follows. */
const PRESENT_MORE = 0x80;
const TIME_LENGTH = 8;
/** Flags that matter here: the frame ends with its checksum, the header is padded, and the frame was damaged. */
const RadiotapFlag = { checksum: 0x10, padded: 0x20, badChecksum: 0x40 } as const;

/** Reads the header that recorders put before the frame (radiotap.org, "Radiotap header format"). */
export function readRadiotap(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  if (data.length < start + RADIOTAP_SHORTEST) return out.lacks(start + RADIOTAP_SHORTEST);
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
  if ((flags & RadiotapFlag.badChecksum) !== 0) return DAMAGED;
  const frame = start + length;
  if (frame > out.length) return tooLong("radiotap");
  if ((flags & RadiotapFlag.checksum) !== 0) out.endAt(Math.max(frame, out.length - FRAME_CHECK_SEQUENCE));
  return readIeee80211(frame, (flags & RadiotapFlag.padded) !== 0 ? "padded" : "unpadded", encapsulations, out);
}

/** Headers of older recorders; both begin with a number and their own length. */
const OLD_HEADER = 8;

/** The upper half of the number that AVS's header begins with. */
const AVS = 0x8021;

/**
 * Prism's header (linux-wlan-ng, p80211msg.h): numbers in the byte order of the recording machine. Some drivers put
 * AVS's in its place.
 */
export function readPrism(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  const { data } = out;
  if (data.length < start + OLD_HEADER) return out.lacks(start + OLD_HEADER);
  if (u16(data, start) === AVS) return readAvs(start, encapsulations, out);
  const isLittle = (data[start + 4] ?? 0) !== 0;
  const length = isLittle ? u16Little(data, start + 4) : u16(data, start + 6);
  return readBehind(start, length, "Prism", encapsulations, out);
}

/** The header of the AVS capture format, version 2, in network byte order. */
export function readAvs(start: number, encapsulations: Encapsulations, out: LinkPayload): string | undefined {
  if (out.data.length < start + OLD_HEADER) return out.lacks(start + OLD_HEADER);
  return readBehind(start, u16(out.data, start + 6), "AVS", encapsulations, out);
}

function readBehind(
  start: number,
  length: number,
  name: string,
  encapsulations: Encapsulations,
  out: LinkPayload,
): string | undefined {
  if (length < OLD_HEADER) return `malformed ${name} header`;
  if (start + length > out.length) return tooLong(name);
  return readIeee80211(start + length, "unpadded", encapsulations, out);
}
