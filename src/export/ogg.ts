/**
 * Writes encoded speech as Ogg files, which players know: Opus in Ogg (RFC 7845) and Speex in Ogg (the Speex manual,
 * section 7.3), in pages (RFC 3533). A library for this would bring encoders and readers as well; none of those for
 * Node.js and browsers only writes.
 */

import { concat } from "../common/concat.js";
import { opusSamples } from "./opus-packet.js";

/** Samples (of 48 kHz, as always in Opus) that a decoder needs to settle, which are then left out: 80 ms (RFC 7845, section 4.2). */
const PRE_SKIP = 3840;

/** A packet of Opus that is 20 ms of silence: a fullband frame of CELT with the silence flag (RFC 6716, section 4.3). */
export const SILENT_OPUS = Uint8Array.of(0xf8, 0xff, 0xfe);

/** Packets of Opus, one channel, as an Ogg file. @param rate of the recording in hertz, which players may show */
export function opusInOgg(packets: readonly Uint8Array[], rate: number): Uint8Array {
  const head = new Uint8Array(19);
  const view = new DataView(head.buffer);
  head.set(ascii("OpusHead"));
  view.setUint8(8, 1);
  view.setUint8(9, 1);
  view.setUint16(10, PRE_SKIP, true);
  view.setUint32(12, rate, true);
  const tags = concat([ascii("OpusTags"), counted(VENDOR), u32(0)]);
  let position = 0;
  // So that nothing of what was said is left out.
  const settling = Array<Uint8Array>(PRE_SKIP / opusSamples(SILENT_OPUS)).fill(SILENT_OPUS);
  return ogg([head, tags], packets.length === 0 ? [] : [...settling, ...packets], (packet) => {
    position += opusSamples(packet);
    return position;
  });
}

/** Sampling rate and samples of a frame of Speex, by mode: narrowband, wideband, ultra-wideband. */
const SPEEX_MODES = [
  { rate: 8000, samples: 160 },
  { rate: 16_000, samples: 320 },
  { rate: 32_000, samples: 640 },
] as const;
/** Version of the bit stream of each mode (speex/speex_header.c: mode->bitstream_version). */
const SPEEX_BITSTREAM = 4;

/** Frames of Speex, one channel, as an Ogg file: one frame a packet. @param mode 0 narrowband, 1 wideband */
export function speexInOgg(frames: readonly Uint8Array[], mode: 0 | 1 | 2): Uint8Array {
  const { rate, samples } = SPEEX_MODES[mode];
  const head = new Uint8Array(80);
  const view = new DataView(head.buffer);
  head.set(ascii("Speex   "));
  head.set(ascii("1.2.1"), 8);
  const fields = [1, 80, rate, mode, SPEEX_BITSTREAM, 1, -1, samples, 0, 1, 0, 0, 0];
  for (const [index, value] of fields.entries()) view.setInt32(28 + 4 * index, value, true);
  const comment = concat([counted(VENDOR), u32(0)]);
  let position = 0;
  return ogg([head, comment], frames, () => {
    position += samples;
    return position;
  });
}

const VENDOR = ascii("moul-dissect");
/** Most packets of a page, so that players can seek: about a second. */
const PACKETS_PER_PAGE = 50;
const MOST_SEGMENTS = 255;
const FIRST = 2;
const LAST = 4;

/** @param position the number of samples up to the end of a packet */
function ogg(
  heads: readonly Uint8Array[],
  packets: readonly Uint8Array[],
  position: (packet: Uint8Array) => number,
): Uint8Array {
  const pages: Uint8Array[] = [];
  let sequence = 0;
  for (const [index, head] of heads.entries()) {
    const isAll = packets.length === 0 && index === heads.length - 1;
    pages.push(
      page([head], { flags: (index === 0 ? FIRST : 0) | (isAll ? LAST : 0), position: 0, sequence: sequence++ }),
    );
  }
  let waiting: Uint8Array[] = [];
  let segments = 0;
  let end = 0;
  const flush = (flags: number) => {
    pages.push(page(waiting, { flags, position: end, sequence: sequence++ }));
    waiting = [];
    segments = 0;
  };
  for (const packet of packets) {
    const own = Math.floor(packet.length / 255) + 1;
    // A packet of more than 64 kB would need several pages; speech has none.
    if (own > MOST_SEGMENTS) continue;
    if (waiting.length >= PACKETS_PER_PAGE || segments + own > MOST_SEGMENTS) flush(0);
    waiting.push(packet);
    segments += own;
    end = position(packet);
  }
  if (waiting.length > 0) flush(LAST);
  return concat(pages);
}

function page(
  packets: readonly Uint8Array[],
  { flags, position, sequence }: { readonly flags: number; readonly position: number; readonly sequence: number },
): Uint8Array {
  const lacing = packets.flatMap(({ length }) => [...Array<number>(Math.floor(length / 255)).fill(255), length % 255]);
  const head = new Uint8Array(27 + lacing.length);
  const view = new DataView(head.buffer);
  head.set(ascii("OggS"));
  view.setUint8(5, flags);
  view.setBigUint64(6, BigInt(position), true);
  view.setUint32(14, 1, true);
  view.setUint32(18, sequence, true);
  view.setUint8(26, lacing.length);
  head.set(lacing, 27);
  const whole = concat([head, ...packets]);
  new DataView(whole.buffer).setUint32(22, crc(whole), true);
  return whole;
}

/** The checksum of a page: polynomial 0x04c11db7, neither reflected nor inverted (RFC 3533, section 6). */
function crc(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}

function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

function counted(bytes: Uint8Array): Uint8Array {
  return concat([u32(bytes.length), bytes]);
}
