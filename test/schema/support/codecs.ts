import { type Codec, coded, decodeText } from "../../../src/schema/index.js";
import { viewOf } from "../../../src/schema/language/byte-source.js";

const pascalCodec: Codec<string> = {
  measure(view, start, limit) {
    if (start + 1 > limit) return -1;
    const length = 1 + view.getUint8(start);
    return start + length > limit ? -length : length;
  },
  read: (bytes, start, end) => decodeText(bytes.subarray(start + 1, end)),
  write(value) {
    const text = Buffer.from(value, "utf8");
    if (text.length > 255) throw new RangeError("holds at most 255 bytes");
    return Buffer.concat([Uint8Array.of(text.length), text]);
  },
};

/** Text after the count of its bytes (u8). */
export const pascalText = coded("pascal", pascalCodec);

/** Codec of numbers in groups of seven bits. */
export const varintCodec: Codec<number> = {
  isWholeNumber: true,
  measure(view, start, limit) {
    for (let at = start; at < limit; at++) if (view.getUint8(at) < 0x80) return at + 1 - start;
    return -(limit - start + 1);
  },
  read: (bytes, start, end) => bytes.subarray(start, end).reduceRight((sum, byte) => sum * 128 + (byte & 0x7f), 0),
  write(value) {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`there is no form for ${value}`);
    const bytes: number[] = [];
    for (let left = value; ; left = Math.floor(left / 128)) {
      if (left < 128) return Uint8Array.from([...bytes, left]);
      bytes.push((left % 128) + 128);
    }
  },
};

/** A number in groups of seven bits, the lowest first; all but the last one have the eighth bit set. */
export const varint = coded("varint", varintCodec);

/** Such a number in at most four bytes. */
export const shortVarint = coded("varint", {
  ...varintCodec,
  problem: (_, start, end) => (end - start > 4 ? "is longer than four bytes" : undefined),
});

/** ASCII text after the count of its bytes (u8). */
export const asciiText = coded("ascii", {
  ...pascalCodec,
  problem: (bytes, start, end) =>
    bytes.subarray(start + 1, end).some((byte) => byte > 0x7f) ? "is not all ASCII" : undefined,
});

/** Codec of a number of 64 bits, the highest first. */
export const u64Codec: Codec<bigint> = {
  isWholeNumber: true,
  measure: (_view, start, limit) => (start + 8 > limit ? -8 : 8),
  read: (bytes, start) => viewOf(bytes).getBigUint64(start),
  write(value) {
    const bytes = new Uint8Array(8);
    viewOf(bytes).setBigUint64(0, value);
    return bytes;
  },
};
