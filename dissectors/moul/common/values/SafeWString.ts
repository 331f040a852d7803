import {
  bytes,
  type Codec,
  choice,
  coded,
  decodeUtf16,
  type FieldTree,
  rest,
  struct,
  type Type,
  within,
} from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";
import { COUNT_MASK, FORM_MASK } from "./SafeString.js";

function safeWStringCodec(followedBy: number): Codec<string> {
  return {
    measure(view, start, limit) {
      if (start + 2 > limit) return -2;
      const units = view.getUint16(start, true) & COUNT_MASK;
      if (units === 0) return 2 + emptyTerminator(view, start + 2, limit, followedBy);
      const length = 2 + 2 * units + 2;
      return start + length > limit ? -length : length;
    },
    read(bytes, start, end) {
      const inverted = Buffer.from(bytes.subarray(start + 2, Math.max(end - 2, start + 2)));
      for (let index = 0; index < inverted.length; index++) inverted[index] = ~(inverted[index] ?? 0);
      return decodeUtf16(inverted, 0, inverted.length);
    },
    copyAscii(bytes, start, end, target, at) {
      const length = Math.max(end - start - 4, 0) / 2;
      for (let index = 0; index < length; index++) {
        const low = ~(bytes[start + 2 + 2 * index] ?? 0) & 0xff;
        if (low >= 0x80 || bytes[start + 3 + 2 * index] !== 0xff) return -1;
        target[at + index] = low;
      }
      return length;
    },
    yields: "text",
    plan: { form: "SafeWString", parts: { followedBy } },
    write(value) {
      const units = Buffer.from(value, "utf16le");
      if (units.length > 2 * COUNT_MASK) throw new RangeError("a SafeWString holds at most 4095 UTF-16 units");
      const bytes = Buffer.alloc(units.length === 0 ? 2 : units.length + 4);
      bytes.writeUInt16LE(FORM_MASK | (units.length / 2), 0);
      for (let index = 0; index < units.length; index++) bytes[2 + index] = ~(units[index] ?? 0);
      return bytes;
    },
  };
}

/**
 * Width of the terminator after the count of an empty text. The client writes none, other implementations do: only
 * the bytes that must follow the text tell the two apart.
 */
function emptyTerminator(view: DataView, start: number, limit: number, followedBy: number): number {
  const left = limit - start;
  return left >= 2 && left > followedBy && view.getUint16(start, true) === 0 ? 2 : 0;
}

/**
 * UTF-16 text after the count of its units (the low 12 bits of a u16). Each unit is inverted; a zero unit, not
 * inverted, ends the text. An empty text has no such unit, but some writers add one anyway.
 *
 * @param options.followedBy number of bytes that follow the text in its region, or the minimum if that varies
 *
 * Source: specification "SafeWString"; corrections section 1, row 4, and section 3; CoreLib/hsStream.cpp.
 */
export function safeWString({ followedBy }: { readonly followedBy: number }): Type<string> {
  return coded("SafeWString", safeWStringCodec(followedBy));
}

function wholeText(nodes: FieldTree, node: number): string | undefined {
  if (nodes.child(node, "characters") < 0) return undefined;
  const whole = nodes.bytes(node);
  return safeWStringCodec(0).read(whole, 0, whole.length);
}

/** The parts of which a SafeWString leaf consists. */
export const SafeWStringParts = struct(
  "SafeWString",
  {
    rawCount: u16.doc("The low 12 bits are the number of UTF-16 units; the others mean nothing."),
    characters: bytes({ field: "rawCount", mask: COUNT_MASK, times: 2 }).doc("The text as on the wire."),
    terminator: choice({ field: "rawCount", mask: COUNT_MASK }, { 0: within(rest, u16) }, u16).doc(
      "0. The client writes none after an empty text, others do.",
    ),
  },
  {
    derived: [
      {
        name: "count",
        doc: "Number of UTF-16 units.",
        schema: { type: "integer" },
        of: (nodes, node) => (nodes.numberIn(node, "rawCount") ?? 0) & COUNT_MASK,
      },
      { name: "string", doc: "The text.", schema: { type: "string" }, of: wholeText },
    ],
  },
);
