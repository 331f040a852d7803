import { type Derived, type FieldTree, hex } from "../../../src/schema/index.js";

/** The bytes of what is dissected, for who wants them whole: the tree shows them beside the fields. */
export function bytesInHex(name: string, whole: (nodes: FieldTree, node: number) => number): Derived {
  const of = (nodes: FieldTree, node: number) => {
    const at = whole(nodes, node);
    return at < 0 ? undefined : hex(nodes.bytes(at));
  };
  return {
    name,
    doc: "The same as bytes.",
    schema: { type: "string", pattern: "^([0-9a-f]{2})*$" },
    of,
    inTree: false,
  };
}
