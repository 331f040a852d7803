import { type Codec, coded, decodeUtf16 } from "../../../src/schema/index.js";

const zeroTerminatedCodec: Codec<string> = {
  measure(view, start, limit) {
    for (let at = start; at + 2 <= limit; at += 2) if (view.getUint16(at, true) === 0) return at + 2 - start;
    return -(Math.max(limit - start, 0) + 2);
  },
  read: (bytes, start, end) => decodeUtf16(bytes, start, end - 2),
  write(value) {
    if (value.includes("\0")) throw new RangeError("the text would end at the zero in it");
    return Buffer.from(`${value}\0`, "utf16le");
  },
};

/** UTF-16 text and the zero that ends it. Source: auth_server "FileListReply"; plNetGameLib/plNglFile.cpp. */
export const zeroTerminated = coded("utf16z", zeroTerminatedCodec);
