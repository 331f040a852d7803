import { type Derived, type FieldTree, hex } from "moul-dissect/schema";

/** Dissected bytes in one piece, for all outputs but the tree, which shows them beside the fields. */
export function bytesInHex(name: string, bytes: NonNullable<Derived["bytes"]>): Derived {
  const of = (nodes: FieldTree, node: number) => {
    const whole = bytes(nodes, node);
    return whole && hex(whole);
  };
  return {
    name,
    doc: "The same data as bytes in hexadecimal.",
    schema: { type: "string", pattern: "^([0-9a-f]{2})*$" },
    of,
    bytes,
    inTree: false,
  };
}
