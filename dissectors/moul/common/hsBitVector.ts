import { array, type Json, type Names, type Nodes, type StructType, struct } from "../../../src/schema/index.js";
import { u32 } from "../../../src/schema/little-endian.js";

/** Numbers of the set bits of an hsBitVector node, the least first. */
function setBits(nodes: Nodes, node: number): number[] {
  const words = nodes.child(node, "bitVector");
  const bits: number[] = [];
  for (let word = words + 1, base = 0; words >= 0 && word < nodes.nextOf(words); word++, base += 32) {
    const value = nodes.number(word);
    for (let bit = 0; bit < 32; bit++) if ((value & (1 << bit)) !== 0) bits.push(base + bit);
  }
  return bits;
}

/**
 * A bit vector of any length whose bits have names (masks `1 << bit`). Trailing zero words mean nothing; writers differ
 * in whether they write them.
 */
export function namedBits(names: Names): StructType<{ count: number; bitVector: number[] }> {
  const byBit = new Map(Object.entries(names).map(([name, mask]) => [31 - Math.clz32(mask), name]));
  const items: Json = byBit.size === 0 ? { type: "integer" } : { type: ["string", "integer"] };
  return struct(
    "hsBitVector",
    {
      count: u32.doc("Number of 32-bit words."),
      bitVector: array(u32, "count").doc("The words, the one with the lowest bits first."),
    },
    {
      derived: [
        {
          name: "bits",
          doc: "The bits that are set: their names, or their numbers where they have none.",
          schema: { type: "array", items },
          of: (nodes, node) => setBits(nodes, node).map((bit) => byBit.get(bit) ?? bit),
        },
      ],
    },
  );
}

/** Source: specification "hsBitVector". */
export const hsBitVector = namedBits({});
