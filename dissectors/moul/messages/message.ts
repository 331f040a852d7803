import {
  type Codec,
  coded,
  decodeUtf16,
  derive,
  enumeration,
  type Infer,
  type InferMembers,
  type Members,
  type StructOptions,
  type StructType,
  struct,
} from "../../../src/schema/index.js";
import { u16, u32 } from "../../../src/schema/little-endian.js";
import { ENetError } from "./ENetError.js";

const messageHeader = struct("message", {
  messageType: u16,
});

/**
 * Declares a message of any server but the file server: its type, then its fields. There is no length.
 * Source: specification "Messages".
 */
export function message<M extends Members>(
  name: string,
  messageType: number,
  members: M,
  options: Omit<StructOptions, "tag"> = {},
): StructType<Infer<typeof messageHeader> & InferMembers<M>> {
  return derive(name, messageHeader, members, { ...options, tag: messageType });
}

const netStringCodec: Codec<string> = {
  measure(view, start, limit) {
    if (start + 2 > limit) return -2;
    const length = 2 + 2 * view.getUint16(start, true);
    return start + length > limit ? -length : length;
  },
  read: (bytes, start, end) => decodeUtf16(bytes, start + 2, end),
  write(value) {
    if (value.length > 0xffff) throw new RangeError("a string of a message holds at most 65,535 UTF-16 units");
    const bytes = Buffer.allocUnsafe(2 + 2 * value.length);
    bytes.writeUInt16LE(value.length, 0);
    bytes.write(value, 2, "utf16le");
    return bytes;
  },
};

/** UTF-16 text after the count of its units (u16). Source: specification, NET_MSG_FIELD_STRING. */
export const netString = coded("string", netStringCodec);

/** Number that a reply has in common with its request. Source: plNetGameLib/plNglTrans.cpp. */
export const transactionId = u32.standsFor("request", "conversation");

/** What became of a request. Source: specification "Error codes". */
export const result = enumeration(u32, ENetError).inSummary();
