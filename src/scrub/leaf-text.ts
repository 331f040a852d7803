import { encodeLeaf } from "../schema/encode/encode-leaf.js";
import { viewOf } from "../schema/language/byte-source.js";
import type { Field } from "../schema/language/field.js";
import { Opcode } from "../schema/language/opcode.js";
import { readLeaf } from "../schema/tree/leaf.js";

const ENCODINGS = ["utf8", "latin1", "utf16le"] as const;

/**
 * The bytes of a leaf with another text, written in the same way as the old one: in its encoding, inverted or not, and
 * with the same end. Undefined if that is not possible.
 */
export function withText(field: Field, bytes: Uint8Array, before: string, after: string): Uint8Array | undefined {
  return candidates(field, bytes, before, after).find((candidate) => reads(field, candidate, after));
}

function candidates(field: Field, bytes: Uint8Array, before: string, after: string): Uint8Array[] {
  const found: Uint8Array[] = [];
  // After the end of a text in a field of fixed width there may be anything, none of which may be kept.
  for (const encoding of field.opcode === Opcode.FixedText ? [] : ENCODINGS) {
    for (const invert of [0x00, 0xff]) {
      const old = Buffer.from(before, encoding).map((byte) => byte ^ invert);
      const at = Buffer.from(bytes).indexOf(old);
      if (at < 0) continue;
      const own = Buffer.from(after, encoding).map((byte) => byte ^ invert);
      found.push(Buffer.concat([bytes.subarray(0, at), own, bytes.subarray(at + old.length)]));
    }
  }
  try {
    found.push(encodeLeaf(field, after));
  } catch {
    // The usual writer cannot express it.
  }
  return found;
}

/** True if the bytes are exactly one leaf with this text. */
function reads(field: Field, bytes: Uint8Array, text: string): boolean {
  const view = viewOf(bytes);
  if (field.codec !== undefined && field.codec.measure(view, 0, bytes.length) !== bytes.length) return false;
  if (typeof field.codec?.problem?.(bytes, 0, bytes.length) === "string") return false;
  if (field.width > 0 && field.width !== bytes.length) return false;
  return readLeaf(field, { bytes, view }, 0, bytes.length) === text;
}
