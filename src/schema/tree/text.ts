import { bufferOf } from "../../common/buffer-of.js";
import { isUtf8 } from "../../common/is-utf8.js";

/**
 * Decodes 8-bit text: as UTF-8 if the bytes are valid UTF-8, else as Latin-1 (writers disagree, and only one of the two
 * readings makes sense of the bytes).
 */
export function decodeText(bytes: Uint8Array): string {
  const buffer = bufferOf(bytes);
  return isUtf8(bytes) ? buffer.toString("utf8") : buffer.toString("latin1");
}

/** Reads 8-bit text in a field of fixed width: up to the first zero; what follows means nothing. */
export function readFixedText(bytes: Uint8Array, start: number, end: number): string {
  const field = bytes.subarray(start, end);
  const zero = field.indexOf(0);
  return decodeText(zero < 0 ? field : field.subarray(0, zero));
}

/** Reads UTF-16 (little-endian) text in a field of fixed width: up to the first zero unit. */
export function readFixedUtf16(bytes: Uint8Array, start: number, end: number): string {
  let stop = start;
  while (stop + 1 < end && (bytes[stop] !== 0 || bytes[stop + 1] !== 0)) stop += 2;
  return decodeUtf16(bytes, start, stop);
}

/** Reads 8-bit text of a counted length, without a terminator that was counted. */
export function readText(bytes: Uint8Array, start: number, end: number): string {
  return decodeText(bytes.subarray(start, end > start && bytes[end - 1] === 0 ? end - 1 : end));
}

/** Reads UTF-16 (little-endian) text of a counted length, without a terminator that was counted, or half a unit. */
export function readUtf16(bytes: Uint8Array, start: number, end: number): string {
  const stop = end - ((end - start) % 2);
  const terminated = stop > start && bytes[stop - 1] === 0 && bytes[stop - 2] === 0;
  return decodeUtf16(bytes, start, terminated ? stop - 2 : stop);
}

/** Returns a remark on UTF-16 text of this length in bytes, if it has an odd one. */
export function halfUnitIn(length: number): string | undefined {
  return length % 2 === 0 ? undefined : "its last byte is half a UTF-16 unit, and is not in the text";
}

/** Decodes the UTF-16 (little-endian) units between two offsets. Lone surrogates are kept. */
export function decodeUtf16(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf16le");
}
