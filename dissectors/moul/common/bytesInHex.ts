import { type Derived, type FieldTree, hex } from "../../../src/schema/index.js";

/** Number of bytes of a node, inflated if they are compressed. */
export function contentLength(nodes: FieldTree, node: number): number {
  return inflatedFrom(nodes, node)?.length ?? nodes.endOf(node) - nodes.startOf(node);
}

/** The bytes of a node, inflated if they are compressed. */
export function contentOf(nodes: FieldTree, node: number): Uint8Array {
  const inflated = inflatedFrom(nodes, node);
  if (inflated === undefined) return nodes.bytes(node);
  return inflated.bytes.subarray(inflated.origin, inflated.origin + inflated.length);
}

function inflatedFrom({ sources }: FieldTree, node: number): FieldTree["sources"][number] | undefined {
  // Most messages have but one source.
  return sources.length === 1 ? undefined : sources.find(({ parent }) => parent === node);
}

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
