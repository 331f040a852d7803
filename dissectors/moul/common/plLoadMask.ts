import { type Nodes, struct, u8 } from "../../../src/schema/index.js";

const qualityAndCapability = (nodes: Nodes, node: number) => nodes.number(nodes.child(node, "qualityAndCapability"));

/** At which graphics settings an object is loaded. Source: specification "plLoadMask". */
export const plLoadMask = struct(
  "plLoadMask",
  { qualityAndCapability: u8 },
  {
    derived: [
      {
        name: "quality",
        doc: "High four bits, with all bits above them set.",
        schema: { type: "integer" },
        of: (nodes, node) => (qualityAndCapability(nodes, node) >> 4) | 0xf0,
      },
      {
        name: "capability",
        doc: "Low four bits, with all bits above them set.",
        schema: { type: "integer" },
        of: (nodes, node) => (qualityAndCapability(nodes, node) & 0x0f) | 0xf0,
      },
    ],
  },
);
