import { type Codec, coded, decodeText } from "../../../src/schema/index.js";

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

/** Text behind the count of its bytes (u8). */
export const pascalText = coded("pascal", pascalCodec);
