import {
  array,
  type Derived,
  type FieldTree,
  type Json,
  type Names,
  type StructType,
  struct,
} from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";

/** The words of an hsBitVector node. */
function wordsOf(nodes: FieldTree, node: number): number[] {
  const array = nodes.child(node, "bitVector");
  const words: number[] = [];
  for (let word = array + 1; array >= 0 && word < nodes.nextOf(array); word++) words.push(nodes.number(word));
  return words;
}

/** Numbers of the set bits, the lowest first. */
function setBits(words: readonly number[]): number[] {
  const bits: number[] = [];
  words.forEach((word, index) => {
    for (let bit = 0; bit < 32; bit++) if ((word & (1 << bit)) !== 0) bits.push(index * 32 + bit);
  });
  return bits;
}

function derivedBits(names: Names): Derived {
  const byBit = new Map(Object.entries(names).map(([name, mask]) => [31 - Math.clz32(mask), name]));
  const items: Json = byBit.size === 0 ? { type: "integer" } : { type: ["string", "integer"] };
  const of = (nodes: FieldTree, node: number) => setBits(wordsOf(nodes, node));
  const doc = "The bits that are set: their names, or their numbers where they have none.";
  const derived = { name: "bits", doc, schema: { type: "array", items }, of };
  if (byBit.size === 0) return derived;
  return { ...derived, meaning: (nodes, node) => of(nodes, node).map((bit) => byBit.get(bit) ?? bit) };
}

/**
 * A bit vector of any length whose bits have names (masks `1 << bit`). Trailing zero words mean nothing; writers differ
 * in whether they write them. Conditions on the first 32 bits look at `bitVector`.
 */
export function namedBits(names: Names): StructType<{ count: number; bitVector: number[] }> {
  return struct(
    "hsBitVector",
    {
      count: u32.doc("Number of 32-bit words."),
      bitVector: array(u32, "count").doc("The words, the one with the lowest bits first."),
    },
    { derived: [derivedBits(names)] },
  );
}

/** Source: specification "hsBitVector". */
export const hsBitVector = namedBits({});
