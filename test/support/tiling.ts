import type { FieldTree } from "../../src/schema/language/field-tree.js";

/**
 * Checks that the leaves of each byte source tile it: every byte is in exactly one leaf, in wire order. A node whose
 * children are in another source counts as a leaf of its own source.
 *
 * @throws Error that names the first leaf that is not in its place
 */
export function expectTiling(nodes: FieldTree): void {
  const reached = nodes.sources.map(() => 0);
  for (let node = 0; node < nodes.count; node++) {
    const source = nodes.sourceIndexOf(node);
    if (nodes.hasChildren(node) && nodes.sourceIndexOf(node + 1) === source) continue;
    const start = nodes.startOf(node);
    if (start !== reached[source]) {
      throw new Error(`${nodes.path(node)} begins at ${start}, the leaf before it ended at ${reached[source]}`);
    }
    reached[source] = nodes.endOf(node);
  }
  for (const [index, { length }] of nodes.sources.entries()) {
    if (reached[index] !== length) throw new Error(`source ${index} has ${length} bytes, its leaves ${reached[index]}`);
  }
}
