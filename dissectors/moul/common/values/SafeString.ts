import { bytes, type Codec, coded, decodeText, type FieldTree, masked, struct } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/little-endian";

/** The count is in the low 12 bits of the count word; writers set the high four. */
export const COUNT_MASK = 0x0fff;
export const FORM_MASK = 0xf000;

/** Buffer for one text at a time. */
const room = Buffer.alloc(COUNT_MASK);

/** Number of characters. */
function countAt(bytes: Uint8Array, start: number): number {
  return ((bytes[start + 1] ?? 0) & 0x0f) * 256 + (bytes[start] ?? 0);
}

/** Only the first byte decides: its high bit says that every byte is inverted. */
function isInverted(bytes: Uint8Array, first: number): boolean {
  return ((bytes[first] ?? 0) & 0x80) !== 0;
}

/** Copies the characters as they are read; negative if not all of them are ASCII. */
function copyAscii(bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number): number {
  const count = countAt(bytes, start);
  const first = end - count;
  const mask = isInverted(bytes, first) ? 0xff : 0;
  let all = 0;
  for (let index = 0; index < count; index++) {
    const character = (bytes[first + index] ?? 0) ^ mask;
    target[at + index] = character;
    all |= character;
  }
  return all < 0x80 ? count : -1;
}

const safeStringCodec: Codec<string> = {
  measure(view, start, limit) {
    if (start + 2 > limit) return -2;
    const word = view.getUint16(start, true);
    const length = 2 + ((word & FORM_MASK) === 0 ? 2 : 0) + (word & COUNT_MASK);
    return start + length > limit ? -length : length;
  },
  read(bytes, start, end) {
    // Nearly all texts are ASCII, which needs no check of the encoding.
    const length = copyAscii(bytes, start, end, room, 0);
    return length < 0 ? decodeText(room.subarray(0, countAt(bytes, start))) : room.toString("latin1", 0, length);
  },
  copyAscii,
  yields: "text",
  plan: { form: "SafeString" },
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
 * Text after its count (u16). If any of the count's high four bits is set, the text follows directly; otherwise two
 * meaningless bytes come in between (the form of writers before 2003). The text is inverted, bit by bit, if its first
 * byte has the high bit set, and literal otherwise; writers always invert, so a text that begins with a non-ASCII
 * character arrives as something else.
 *
 * Source: specification "SafeString"; corrections section 3; CoreLib/hsStream.cpp.
 */
export const SafeString = coded("SafeString", safeStringCodec);

/** The bytes up to the last character; more may follow if a value is decoded on its own. */
function wholeBytes(nodes: FieldTree, node: number): Uint8Array | undefined {
  const characters = nodes.child(node, "characters");
  return characters < 0 ? undefined : nodes.bytes(node).subarray(0, nodes.endOf(characters) - nodes.startOf(node));
}

/** The parts of which a SafeString leaf consists. */
export const SafeStringParts = struct(
  "SafeString",
  {
    rawCount: u16.doc("The low 12 bits are the number of characters; any other bit set means the modern form."),
    ignored: u16.when(masked("rawCount", FORM_MASK, 0)),
    characters: bytes({ field: "rawCount", mask: COUNT_MASK }).doc("The text as on the wire."),
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
          return characters < 0 ? undefined : isInverted(nodes.bytes(characters), 0);
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
