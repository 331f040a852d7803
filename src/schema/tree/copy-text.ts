import type { CopyAscii } from "../language/codec.js";
import type { Field } from "../language/field.js";
import { Opcode } from "../language/opcode.js";
import { PerField } from "./per-field.js";

/** How a text is copied if it is pure ASCII; undefined for what is not a text, or has a codec that cannot do that. */
export function copierOf({
  opcode,
  encoding,
  codec,
}: Pick<Field, "opcode" | "encoding" | "codec">): CopyAscii | undefined {
  if (opcode === Opcode.Codec) return codec?.copyAscii;
  if (opcode === Opcode.FixedText) return encoding === "utf8" ? copyFixed : copyFixedUtf16;
  if (opcode === Opcode.Text) return encoding === "utf8" ? copyCounted : copyCountedUtf16;
  return undefined;
}

/** The same for each field, since codecs of different shapes are slow to look at. */
export const asciiCopiers = new PerField((field) => ({ copyAscii: copierOf(field) }));

/** Copies what `readFixedText` reads. */
function copyFixed(bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  for (let index = start; index < end; index++) {
    const character = bytes[index] ?? 0;
    if (character === 0) return index - start;
    if (character >= 0x80) return -1;
    target[at + index - start] = character;
  }
  return end - start;
}

/** Copies what `readText` reads. */
export function copyCounted(bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  return copyWhole(bytes, start, end > start && bytes[end - 1] === 0 ? end - 1 : end, target, at);
}

/** Copies what `decodeText` reads. */
export function copyWhole(bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  const length = end - start;
  for (let index = 0; index < length; index++) {
    const character = bytes[start + index] ?? 0;
    if (character >= 0x80) return -1;
    target[at + index] = character;
  }
  return length;
}

/** Copies what `readFixedUtf16` reads. */
function copyFixedUtf16(bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  let stop = start;
  while (stop + 1 < end && (bytes[stop] !== 0 || bytes[stop + 1] !== 0)) stop += 2;
  return copyUnits(bytes, start, stop, target, at);
}

/** Copies what `readUtf16` reads. */
export function copyCountedUtf16(
  bytes: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): number {
  const stop = end - ((end - start) % 2);
  const isTerminated = stop > start && bytes[stop - 1] === 0 && bytes[stop - 2] === 0;
  return copyUnits(bytes, start, isTerminated ? stop - 2 : stop, target, at);
}

/** Copies what `decodeUtf16` reads. */
export function copyUnits(bytes: Uint8Array, start: number, stop: number, target: Uint8Array, at: number): number {
  const length = (stop - start) >> 1;
  for (let index = 0; index < length; index++) {
    const low = bytes[start + 2 * index] ?? 0;
    if (low >= 0x80 || bytes[start + 2 * index + 1] !== 0) return -1;
    target[at + index] = low;
  }
  return length;
}
