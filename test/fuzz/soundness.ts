import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { expectTiling } from "../support/tiling.js";

/** Maximum number of nodes per byte of a message: what has no bytes must not have endless nodes. */
const NODES_PER_BYTE = 8;
const NODES_ANYHOW = 200;

/** Something that must not happen: what the fuzzer looks for. */
export class Finding extends Error {}

/**
 * Checks what holds for every tree: the leaves of each byte source tile it, and the tree's size is bounded by theirs.
 */
export function checkTree(nodes: FieldTree): void {
  const { count, sources } = nodes;
  for (let node = 0; node < count; node++) {
    const behind = nodes.nextOf(node);
    if (behind <= node || behind > count) throw new Finding(`node ${node} of ${count} has ${behind} behind it`);
  }
  expectTiling(nodes);
  const bytes = sources.reduce((sum, { length }) => sum + length, 0);
  if (nodes.nextOf(0) !== count) throw new Finding(`the root ends before node ${nodes.nextOf(0)} of ${count}`);
  if (count > NODES_ANYHOW + NODES_PER_BYTE * bytes) throw new Finding(`${bytes} bytes make ${count} nodes`);
  for (const { node } of nodes.notes) {
    if (!(node >= 0 && node < count)) throw new Finding(`a note is on node ${node} of ${count}`);
  }
}

/** The leaves of the message itself that end at or before an offset: path and place. */
export function leavesBefore(nodes: FieldTree, offset: number): string[] {
  const leaves: string[] = [];
  for (let node = 0; node < nodes.count; node++) {
    if (nodes.sourceIndexOf(node) !== 0 || nodes.hasChildren(node)) continue;
    if (nodes.endOf(node) > offset) break;
    leaves.push(`${nodes.path(node)} ${nodes.startOf(node)}..${nodes.endOf(node)}`);
  }
  return leaves;
}
