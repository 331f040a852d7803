import {
  array,
  type Derived,
  type FieldTree,
  type Json,
  type Names,
  type StructType,
  struct,
} from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";

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

/** The bits that are set. @param names names of bit numbers */
function derivedBits(names: Names): Derived {
  const byBit = new Map(Object.entries(names).map(([name, bit]) => [bit, name]));
  const number = { type: "integer", minimum: 0 };
  const items: Json = byBit.size === 0 ? number : { anyOf: [{ enum: [...byBit.values()] }, number] };
  const of = (nodes: FieldTree, node: number) => setBits(wordsOf(nodes, node));
  const doc = "The bits that are set: their names, or their numbers where they have none.";
  const derived = { name: "bits", doc, schema: { type: "array", items }, areBitNumbers: true, of };
  if (byBit.size === 0) return derived;
  return { ...derived, names, meaning: (nodes, node) => of(nodes, node).map((bit) => byBit.get(bit) ?? bit) };
}

/**
 * A bit vector of any length whose bits have names. Trailing zero words mean nothing; writers differ in whether they
 * write them. Conditions on the first 32 bits look at `bitVector`. Source: specification "hsBitVector".
 *
 * @param names each with the number of its bit
 */
export function bitVector(names: Names): StructType<{ count: number; bitVector: number[] }> {
  return struct(
    "hsBitVector",
    {
      count: u32.doc("Number of 32-bit words."),
      bitVector: array(u32, "count").doc("The words, the one with the lowest bits first."),
    },
    { derived: [derivedBits(names)], valueField: "bits" },
  );
}

/** The same, for names of masks (`1 << bit`). */
export function namedBits(masks: Names): ReturnType<typeof bitVector> {
  return bitVector(Object.fromEntries(Object.entries(masks).map(([name, mask]) => [name, 31 - Math.clz32(mask)])));
}

export const hsBitVector = bitVector({});
