/** What packets of Opus say about themselves. Source: RFC 6716, section 3. */

/** Samples of the longest packet: 120 ms (section 3.2.5). */
const LONGEST_PACKET = 5760;

/** Most bytes of a frame (section 3.4, requirement R2). */
const LONGEST_FRAME = 1275;

/** Bits of the byte that counts frames. */
const VARIABLE = 0x80;
const PADDED = 0x40;
const COUNT = 0x3f;

/** Samples of an Opus packet at 48 kHz, as its first bytes say (section 3.1); 0 if it has none. */
export function opusSamples(packet: Uint8Array): number {
  const [toc] = packet;
  if (toc === undefined) return 0;
  const config = toc >> 3;
  const long = [480, 960, 1920, 2880];
  const samples = config < 12 ? (long[config & 3] ?? 0) : config < 16 ? 480 << (config & 1) : 120 << (config & 3);
  const all = samples * framesIn(packet);
  return all <= LONGEST_PACKET ? all : 0;
}

/** True if bytes are a packet that a decoder takes (section 3.4). */
export function isOpusPacket(packet: Uint8Array): boolean {
  if (opusSamples(packet) === 0) return false;
  const [toc = 0, second = 0] = packet;
  const code = toc & 3;
  if (code < 3) return code === 2 ? haveLengths(packet.subarray(1), 2) : areEqual(packet.subarray(1), framesIn(packet));
  const frames = (second & PADDED) === 0 ? packet.subarray(2) : withoutPadding(packet.subarray(2));
  if (frames === undefined) return false;
  return ((second & VARIABLE) === 0 ? areEqual : haveLengths)(frames, second & COUNT);
}

/** A packet as long as a damaged one, whose frames have no bytes: for decoders, they are lost. */
export function lostOpus(packet: Uint8Array): Uint8Array {
  return Uint8Array.of((packet[0] ?? 0) | 3, framesIn(packet));
}

function framesIn([toc = 0, second = 0]: Uint8Array): number {
  return [1, 2, 2, second & COUNT][toc & 3] ?? 1;
}

/** True if bytes are so many frames of one length. */
function areEqual(frames: Uint8Array, count: number): boolean {
  return frames.length % count === 0 && frames.length / count <= LONGEST_FRAME;
}

/** True if bytes are so many frames, behind the lengths of all but the last. */
function haveLengths(frames: Uint8Array, count: number): boolean {
  let at = 0;
  let sum = 0;
  for (let frame = 1; frame < count; frame++) {
    const first = frames[at++];
    if (first === undefined) return false;
    if (first < 252) {
      sum += first;
      continue;
    }
    const second = frames[at++];
    if (second === undefined) return false;
    sum += 4 * second + first;
  }
  const last = frames.length - at - sum;
  return last >= 0 && last <= LONGEST_FRAME;
}

/** What is left without padding, and without its length in front; undefined if there is less than that. */
function withoutPadding(bytes: Uint8Array): Uint8Array | undefined {
  let at = 0;
  let padding = 0;
  let byte = bytes[at++];
  for (; byte === 255; byte = bytes[at++]) padding += 254;
  if (byte === undefined) return undefined;
  const end = bytes.length - padding - byte;
  return end < at ? undefined : bytes.subarray(at, end);
}
