import { type Codec, coded, decodeUtf16 } from "../../../src/schema/index.js";

const COUNT_MASK = 0x0fff;
const FORM_MASK = 0xf000;

const safeWStringCodec: Codec<string> = {
  measure(view, start, limit) {
    if (start + 2 > limit) return -2;
    const units = view.getUint16(start, true) & COUNT_MASK;
    const length = units === 0 ? 2 : 2 + 2 * units + 2;
    return start + length > limit ? -length : length;
  },
  read(bytes, start, end) {
    const inverted = Buffer.from(bytes.subarray(start + 2, Math.max(end - 2, start + 2)));
    for (let index = 0; index < inverted.length; index++) inverted[index] = ~(inverted[index] ?? 0);
    return decodeUtf16(inverted, 0, inverted.length);
  },
  write(value) {
    const units = Buffer.from(value, "utf16le");
    if (units.length > 2 * COUNT_MASK) throw new RangeError("a SafeWString holds at most 4095 UTF-16 units");
    const bytes = Buffer.alloc(units.length === 0 ? 2 : units.length + 4);
    bytes.writeUInt16LE(FORM_MASK | (units.length / 2), 0);
    for (let index = 0; index < units.length; index++) bytes[2 + index] = ~(units[index] ?? 0);
    return bytes;
  },
};

/**
 * UTF-16 text behind the count of its units (u16, of which the low 12 bits count). Each unit is inverted; a zero unit,
 * not inverted, ends the text, but an empty text is nothing but its count.
 *
 * Source: specification "SafeWString"; corrections section 1, row 4, and section 3; CoreLib/hsStream.cpp.
 */
export const SafeWString = coded("SafeWString", safeWStringCodec);
