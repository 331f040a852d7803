import { bytes, type Codec, coded, decodeText, masked, type Nodes, struct } from "../../../src/schema/index.js";
import { u16 } from "../../../src/schema/little-endian.js";

/** Low 12 bits of the count word are the count; writers set the high four. */
const COUNT_MASK = 0x0fff;
const FORM_MASK = 0xf000;

/** Room for one text; used again for the next one. */
const inverted = Buffer.alloc(COUNT_MASK);

const safeStringCodec: Codec<string> = {
  measure(view, start, limit) {
    if (start + 2 > limit) return -2;
    const word = view.getUint16(start, true);
    const length = 2 + ((word & FORM_MASK) === 0 ? 2 : 0) + (word & COUNT_MASK);
    return start + length > limit ? -length : length;
  },
  read(bytes, start, end) {
    const count = ((bytes[start + 1] ?? 0) & 0x0f) * 256 + (bytes[start] ?? 0);
    const first = end - count;
    // Only the first byte decides: its high bit says that every byte is inverted.
    if (((bytes[first] ?? 0) & 0x80) === 0) return decodeText(bytes.subarray(first, end));
    let all = 0;
    for (let index = 0; index < count; index++) {
      const character = ~(bytes[first + index] ?? 0) & 0xff;
      inverted[index] = character;
      all |= character;
    }
    // Nearly all are ASCII, which needs no look at the encoding.
    return all < 0x80 ? inverted.toString("latin1", 0, count) : decodeText(inverted.subarray(0, count));
  },
  write(value) {
    const text = Buffer.from(value, "utf8");
    if (text.length > COUNT_MASK) throw new RangeError("a SafeString holds at most 4095 bytes");
    const bytes = Buffer.allocUnsafe(2 + text.length);
    bytes.writeUInt16LE(FORM_MASK | text.length, 0);
    for (let index = 0; index < text.length; index++) bytes[2 + index] = ~(text[index] ?? 0);
    return bytes;
  },
};

/**
 * Text behind its count (u16). If any of the count's high four bits is set, the text follows; else two bytes come in
 * between that mean nothing (the form of writers before 2003). The text is inverted, bit by bit, if its first byte has
 * the high bit set, and literal otherwise; writers always invert, so that a text that begins with a non-ASCII character
 * arrives as something else.
 *
 * Source: specification "SafeString"; corrections section 3; CoreLib/hsStream.cpp.
 */
export const SafeString = coded("SafeString", safeStringCodec);

/** The bytes up to the last character: more may follow where a value is decoded by itself. */
function wholeBytes(nodes: Nodes, node: number): Uint8Array | undefined {
  const characters = nodes.child(node, "characters");
  return characters < 0 ? undefined : nodes.bytes(node).subarray(0, nodes.endOf(characters) - nodes.startOf(node));
}

/** A SafeString taken apart: what a leaf of this type consists of. */
export const SafeStringParts = struct(
  "SafeString",
  {
    rawCount: u16.doc("Number of characters in the low 12 bits; any of the others: the modern form."),
    ignored: u16.when(masked("rawCount", FORM_MASK, 0)),
    characters: bytes({ field: "rawCount", mask: COUNT_MASK }).doc("The text as it stands on the wire."),
  },
  {
    derived: [
      {
        name: "count",
        doc: "Number of 8-bit characters.",
        schema: { type: "integer" },
        of: (nodes, node) => wholeBytes(nodes, node) && (nodes.numberIn(node, "rawCount") ?? 0) & COUNT_MASK,
      },
      {
        name: "obfuscated",
        doc: "Whether the characters are inverted.",
        schema: { type: "boolean" },
        of: (nodes, node) => {
          const characters = nodes.child(node, "characters");
          return characters < 0 ? undefined : ((nodes.bytes(characters)[0] ?? 0) & 0x80) !== 0;
        },
      },
      {
        name: "string",
        doc: "The text.",
        schema: { type: "string" },
        of: (nodes, node) => {
          const whole = wholeBytes(nodes, node);
          return whole && safeStringCodec.read(whole, 0, whole.length);
        },
      },
    ],
  },
);
