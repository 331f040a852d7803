import { u16 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { type LinkPayload, tooLong } from "./link-payload.js";
import { LinkType } from "./link-type.js";
import type { Framed } from "./metadata-headers.js";
import { blockedBy, type Carrier, lacks, leadsToFrame, type Tunnelled } from "./tunnelled.js";

// The TaZmen Sniffer Protocol, in which MikroTik's routers and some access points send what they see. Source: Wireshark,
// epan/dissectors/packet-tzsp.c.

const HEADER = 4;
const VERSION = 1;
/** Types of message: those up to this one carry a packet. */
const LAST_WITH_PACKET = 1;
const TYPES = ["received packet", "packet to transmit", "reserved", "configuration", "keepalive", "port opener"];

/** Kinds of frame, by their numbers here, which are not those of captures. */
const FRAMES = new Map<number, number>([
  [1, LinkType.ethernet],
  [18, LinkType.ieee80211],
  [119, LinkType.prism],
  [127, LinkType.avs],
]);

/** Tags before the frame: the first two are a single byte. */
const Tag = { padding: 0, end: 1, originalLength: 41 } as const;

/** Reads what a sensor sent in UDP; false if it is something else. */
export function readTzsp(carrier: Carrier, out: Tunnelled): boolean {
  const { data, start: at, end } = carrier;
  const type = data[at + 1] ?? 0;
  if (at + HEADER > end || data[at] !== VERSION || type >= TYPES.length) return false;
  if (type > LAST_WITH_PACKET) return blockedBy(out, `TZSP ${TYPES[type]}`);
  const kind = u16(data, at + 2);
  const linkType = FRAMES.get(kind);
  if (linkType === undefined) return blockedBy(out, `TZSP with encapsulation ${kind}`);
  const start = afterTags(data, at + HEADER, end);
  if (start > end) return lacks(out, "TZSP", carrier, start);
  leadsToFrame(out, linkType, start, Encapsulation.tzsp);
  out.originalLength = originalLength(data, at + HEADER, start);
  return true;
}

/** Reads the same as a link layer. */
export function frameIn(at: number, { data, length }: LinkPayload): Framed | string {
  const start = afterTags(data, at + HEADER, data.length);
  if (start > data.length) return start > length ? tooLong("TZSP") : "TZSP header cut by the snap length";
  const kind = u16(data, at + 2);
  const linkType = FRAMES.get(kind);
  return linkType === undefined ? `TZSP with encapsulation ${kind}` : { linkType, start };
}

/** The offset after the tags; beyond `end` if they do not end before it. */
function afterTags(data: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const tag = data[at];
    if (tag === Tag.end) return at + 1;
    at += tag === Tag.padding ? 1 : 2 + (data[at + 1] ?? 0);
  }
  return Math.max(at, end) + 1;
}

/** The length of a frame that the sensor cut; 0 if the tags do not give it. */
function originalLength(data: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const tag = data[at];
    if (tag === Tag.originalLength && data[at + 1] === 2) return u16(data, at + 2);
    at += tag === Tag.padding || tag === Tag.end ? 1 : 2 + (data[at + 1] ?? 0);
  }
  return 0;
}
