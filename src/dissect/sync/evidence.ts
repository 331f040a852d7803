import type { FieldTree } from "../../schema/language/field-tree.js";
import { Opcode } from "../../schema/language/opcode.js";
import { flagBits } from "../../schema/tree/label.js";
import { isLetterUnit } from "./looks-like-text.js";

/** Bits in favour of a message for each byte of a value of zero: few, since zeros are everywhere. */
const ZERO = 1;
/** Bits against a message for each odd value: real messages have some, noise has them everywhere. */
const ODD = -10;
/** Bits against a message for a broken part. */
const BROKEN = -30;
/** Bits for the number of a known class: of 65,536 numbers, about a thousand are classes. */
const KNOWN_CLASS = 6;
/** Number of letters of a text that count: a long text is no better a sign than a few words. */
const TELLING_LETTERS = 16;
/** Bits for each of them: in UTF-16, every other byte is zero as well. */
const LETTER = 1;
const WIDE_LETTER = 8;

/**
 * Returns how unlikely it is, in bits, that arbitrary bytes decode to this tree: the evidence of names, flags,
 * booleans, classes and texts for it, less the evidence against it; negative if the latter prevails. Bytes that are all
 * zero do not count as evidence, since a run of zeros decodes to many things.
 */
export function evidence(nodes: FieldTree): number {
  if (nodes.bytes(0).every((byte) => byte === 0)) return BROKEN;
  let bits = nodes.outcome === "malformed" ? BROKEN : 0;
  for (let node = 1; node < nodes.count; node++) bits += leafEvidence(nodes, node);
  return bits;
}

function leafEvidence(nodes: FieldTree, node: number): number {
  const { opcode, meaning, width, encoding, struct } = nodes.field(node);
  switch (opcode) {
    case Opcode.Bool8:
    case Opcode.Bool32LE: {
      const value = nodes.number(node);
      return value > 1 ? ODD : numberEvidence(value, width) - Math.min(1, value);
    }
    case Opcode.Polymorphic:
      return struct === undefined ? 0 : KNOWN_CLASS;
    case Opcode.Codec:
    case Opcode.Text:
    case Opcode.FixedText:
      return isWithinText(nodes, node) ? 0 : textEvidence(nodes.value(node), encoding);
  }
  switch (meaning?.form) {
    case "enumeration": {
      const value = nodes.number(node);
      if (!meaning.names.has(value)) return ODD;
      return value === 0 ? ZERO * width : Math.max(0, numberEvidence(value, width) - Math.log2(meaning.names.size + 1));
    }
    case "flags": {
      let known = 0n;
      for (const mask of meaning.names.keys()) known |= BigInt(mask);
      const bits = BigInt.asUintN(64, BigInt(flagBits(nodes, node)));
      if ((bits & ~known) !== 0n) return ODD;
      return bits === 0n ? ZERO * width : 8 * width - meaning.names.size;
    }
    default:
      return 0;
  }
}

/** Returns the evidence of a number that is one of few: that of its bytes, as the upper ones are often zero. */
function numberEvidence(value: number, width: number): number {
  let bits = 0;
  let rest = value;
  for (let byte = 0; byte < width; byte++) {
    bits += rest % 256 === 0 ? ZERO : 8;
    rest = Math.floor(rest / 256);
  }
  return bits;
}

/**
 * True if the count of a text, or what comes before one without it, could be a letter in UTF-16. In a long text, letters
 * could be counts, and any text field would make sense.
 */
function isWithinText(nodes: FieldTree, node: number): boolean {
  const from = nodes.startOf(node) - nodes.startOf(0);
  const before = nodes.field(node).opcode === Opcode.Codec ? from : from - 2;
  const [low = 0, high = 0] = nodes.bytes(0).subarray(Math.max(0, before), before + 2);
  return isLetterUnit(low | (high << 8));
}

/** Returns the evidence of a text: each letter counts in favour, control characters count against it. */
function textEvidence(value: unknown, encoding: string): number {
  if (typeof value !== "string" || value === "") return 0;
  if (/[\p{Cc}\p{Cs}\p{Cn}]/u.test(value.replace(/[\r\n\t]/g, ""))) return ODD;
  const plain = value.match(/[ -~]/g)?.length ?? 0;
  return Math.min(plain, TELLING_LETTERS) * (encoding === "utf16le" ? WIDE_LETTER : LETTER);
}
