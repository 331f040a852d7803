import type { FieldTree } from "moul-dissect/schema";

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
