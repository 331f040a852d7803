import {
  array,
  type Derived,
  type Json,
  type Names,
  type Nodes,
  notEquals,
  type StructType,
  struct,
} from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";

/** The numbers in the leaves below a node; of none, if the node is absent (-1). */
function numbersIn(nodes: Nodes, node: number): number[] {
  const numbers: number[] = [];
  for (let leaf = node + 1; node >= 0 && leaf < nodes.nextOf(node); leaf++) numbers.push(nodes.number(leaf));
  return numbers;
}

/** Numbers of the set bits, the least first. */
function setBits(words: readonly number[]): number[] {
  const bits: number[] = [];
  words.forEach((word, index) => {
    for (let bit = 0; bit < 32; bit++) if ((word & (1 << bit)) !== 0) bits.push(index * 32 + bit);
  });
  return bits;
}

function derivedBits(names: Names, words: (nodes: Nodes, node: number) => number[]): Derived {
  const byBit = new Map(Object.entries(names).map(([name, mask]) => [31 - Math.clz32(mask), name]));
  const items: Json = byBit.size === 0 ? { type: "integer" } : { type: ["string", "integer"] };
  const of = (nodes: Nodes, node: number) => setBits(words(nodes, node));
  const doc = "The bits that are set: their names, or their numbers where they have none.";
  const derived = { name: "bits", doc, schema: { type: "array", items }, of };
  if (byBit.size === 0) return derived;
  return { ...derived, meaning: (nodes, node) => of(nodes, node).map((bit) => byBit.get(bit) ?? bit) };
}

/**
 * A bit vector of any length whose bits have names (masks `1 << bit`). Trailing zero words mean nothing; writers differ
 * in whether they write them.
 */
export function namedBits(names: Names): StructType<{ count: number; bitVector: number[] }> {
  return struct(
    "hsBitVector",
    {
      count: u32.doc("Number of 32-bit words."),
      bitVector: array(u32, "count").doc("The words, the one with the lowest bits first."),
    },
    { derived: [derivedBits(names, (nodes, node) => numbersIn(nodes, nodes.child(node, "bitVector")))] },
  );
}

/** Source: specification "hsBitVector". */
export const hsBitVector = namedBits({});

/** All words of a bit vector that was declared with `presenceBits`. */
function wordsOf(nodes: Nodes, node: number): number[] {
  const low = nodes.child(node, "low");
  return low < 0 ? [] : [nodes.number(low), ...numbersIn(nodes, nodes.child(node, "high"))];
}

/**
 * A bit vector whose bits say which of the fields behind it are present. These look at its lowest word, which is
 * therefore a field of its own (`low`): conditions look at a single number, not at an element of an array.
 */
export function presenceBits(names: Names): StructType<{ count: number; low?: number; high?: number[] }> {
  return struct(
    "hsBitVector",
    {
      count: u32.doc("Number of 32-bit words."),
      low: u32.when(notEquals("count", 0)).doc("The word with the lowest bits."),
      high: array(u32, { field: "count", plus: -1 }).when(notEquals("count", 0)).doc("The other words."),
    },
    {
      derived: [
        {
          name: "bitVector",
          doc: "The words, the one with the lowest bits first.",
          schema: { type: "array", items: { type: "integer" } },
          of: wordsOf,
        },
        derivedBits(names, wordsOf),
      ],
    },
  );
}
