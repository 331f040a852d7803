import { type FieldTree, struct, u8 } from "moul-dissect/schema";

/** Four of the eight bits, with all bits above them set. */
function half(nodes: FieldTree, node: number, shift: number): number | undefined {
  const both = nodes.numberIn(node, "qualityAndCapability");
  return both === undefined ? undefined : ((both >> shift) & 0x0f) | 0xf0;
}

/** The graphics settings at which an object is loaded. Source: specification "plLoadMask". */
export const plLoadMask = struct(
  "plLoadMask",
  { qualityAndCapability: u8 },
  {
    derived: [
      {
        name: "quality",
        doc: "High four bits, with all bits above them set.",
        schema: { type: "integer" },
        of: (nodes, node) => half(nodes, node, 4),
      },
      {
        name: "capability",
        doc: "Low four bits, with all bits above them set.",
        schema: { type: "integer" },
        of: (nodes, node) => half(nodes, node, 0),
      },
    ],
  },
);
