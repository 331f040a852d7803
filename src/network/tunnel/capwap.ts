import { u16, u24 } from "../bytes.js";
import { Encapsulation } from "../encapsulations.js";
import { LinkType } from "../link/link-type.js";
import { blockedBy, type Carrier, leadsToFrame, type Tunnelled } from "../link/tunnelled.js";

const HEADER = 8;
/** What follows the version, 0, in the first byte: the header, or four bytes before what is encrypted. */
const Preamble = { header: 0, encrypted: 1 } as const;
const DTLS_HANDSHAKES = 20;
const DTLS_LAST = 26;
/** The first byte of all versions of DTLS. */
const DTLS_VERSION = 0xfe;
/** Bits of the first 32: the frame is of the radio's own kind; it is a fragment; nothing but a sign of life; reserved. */
const Flag = { native: 0x100, fragment: 0x080, keepAlive: 0x008, reserved: 0x007 } as const;
const IEEE_80211 = 1;
/** The version in the first byte of an IEEE 802.11 frame. */
const FRAME_VERSION = 0x03;

/**
 * Reads what a wireless access point and its controller exchange (CAPWAP, RFC 5415, section 4.3); false if it is something
 * else.
 *
 * @param isControl true at the port for control messages, which have the same header as frames
 */
export function readCapwap(carrier: Carrier, isControl: boolean, out: Tunnelled): boolean {
  const { data, start, end, missing } = carrier;
  if (start + HEADER > end) return false;
  const bits = u24(data, start + 1);
  if (data[start] === Preamble.encrypted) {
    const kind = data[start + 4] ?? 0;
    const isDtls = kind >= DTLS_HANDSHAKES && kind <= DTLS_LAST && data[start + 5] === DTLS_VERSION;
    return bits === 0 && isDtls && blockedBy(out, "CAPWAP with encryption");
  }
  const length = (bits >>> 19) * 4;
  const at = start + length;
  const isHeader = data[start] === Preamble.header && (bits & Flag.reserved) === 0 && (u16(data, start + 6) & 7) === 0;
  if (!isHeader || length < HEADER || at >= end + missing) return false;
  if ((bits & Flag.fragment) !== 0) return blockedBy(out, "CAPWAP fragment");
  if (isControl) return isControlMessage(carrier, at) && blockedBy(out, "CAPWAP control message");
  if ((bits & Flag.keepAlive) !== 0) return blockedBy(out, "CAPWAP keep-alive");
  if ((bits & Flag.native) === 0) return leadsToFrame(out, LinkType.ethernet, at, Encapsulation.capwap);
  if (((bits >>> 9) & 0x1f) !== IEEE_80211) return blockedBy(out, "CAPWAP of an unknown kind");
  // Some controllers swap the first two bytes.
  if (((data[at] ?? 0) & FRAME_VERSION) !== 0) return blockedBy(out, "CAPWAP with swapped bytes");
  return leadsToFrame(out, LinkType.ieee80211, at, Encapsulation.capwap);
}

/** Whose numbers the types of control messages are: those of CAPWAP itself, and of its binding to IEEE 802.11. */
const ENTERPRISES = new Set([0, 13_277]);

/** Whether a control message follows, as far as it was captured: a datagram of something else may begin like CAPWAP. */
function isControlMessage({ data, end, missing }: Carrier, at: number): boolean {
  return at + 4 > end ? missing > 0 : ENTERPRISES.has(u24(data, at)) && data[at + 3] !== 0;
}
