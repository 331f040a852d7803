import type { FieldDifference, NodeDifference, NodeReference } from "../difference.js";
import { FieldComparison } from "../field-comparison.js";
import type { IdentifierMapping } from "../identifier-mapping.js";
import { CHILDREN, type Space } from "../normal-form.js";
import { matchedNodes, type NodePairs } from "./node-matching.js";
import { labelOf, type NodeRecording, type RecordedNode } from "./node-recording.js";

/** How the vaults of two recordings compare. */
export interface NodeComparison {
  readonly differences: readonly NodeDifference[];
  readonly pairs: NodePairs;
}

/**
 * Compares what the vault has become in two recordings.
 *
 * @param mapping what messages say of the labels that stand for the same thing; what nodes say is added to it
 */
export function compareNodes(
  expected: NodeRecording,
  found: NodeRecording,
  mapping: IdentifierMapping,
): NodeComparison {
  const pairs = matchedNodes(expected, found, mapping);
  const taken = new Set(pairs.values());
  for (const [one, other] of pairs) {
    mapping.unify(expected.spaceOf(one), -1, labelOf(one.line.id), labelOf(other.line.id));
  }
  unifyByMajority(pairs, mapping);
  const fields = new FieldComparison(mapping, -1);
  const differences: NodeDifference[] = [];
  for (const node of expected.nodes) {
    const other = pairs.get(node);
    if (other === undefined) {
      differences.push({ kind: "missing node", expected: referenceTo(node), parents: parentsOf(expected, node) });
      continue;
    }
    const changed = [...fields.of(node.entry, other.entry), ...edgesApart(node, other)];
    if (changed.length > 0) {
      differences.push({
        kind: "changed node",
        ...{ expected: referenceTo(node), found: referenceTo(other), fields: changed },
      });
    }
  }
  for (const node of found.nodes) {
    if (taken.has(node)) continue;
    differences.push({ kind: "added node", found: referenceTo(node), parents: parentsOf(found, node) });
  }
  return { differences, pairs };

  /** What belongs to one of two nodes only, though it is in both recordings. */
  function edgesApart(one: RecordedNode, other: RecordedNode): FieldDifference[] {
    if (expected.forms.leavesOut(one.line.type, CHILDREN)) return [];
    const others = new Set(found.childrenOf(other));
    const apart: FieldDifference[] = [];
    for (const child of expected.childrenOf(one)) {
      const same = pairs.get(child);
      if (same !== undefined && !others.delete(same)) {
        apart.push({ path: CHILDREN, expected: nameOf(child), found: undefined });
      }
    }
    for (const child of others) {
      if (taken.has(child)) apart.push({ path: CHILDREN, expected: undefined, found: nameOf(child) });
    }
    return apart;
  }
}

/** Settles which labels in fields stand for the same thing: what most of the nodes say that are otherwise alike. */
function unifyByMajority(pairs: NodePairs, mapping: IdentifierMapping): void {
  const votes = new Map<string, { space: Space; label: string; other: string; count: number }>();
  for (const [{ entry: one }, { entry: other }] of pairs) {
    if (one.form !== other.form) continue;
    one.labels.forEach((label, index) => {
      const [space, found] = [one.form.shape.spaces[index], other.labels[index]];
      if (space === undefined || found === undefined) return;
      const key = JSON.stringify([space.what, label, found]);
      const vote = votes.get(key) ?? { space, label, other: found, count: 0 };
      vote.count++;
      votes.set(key, vote);
    });
  }
  const most = [...votes.values()].sort((one, other) => other.count - one.count);
  for (const { space, label, other } of most) mapping.unify(space, -1, label, other);
}

function referenceTo({ line: { id, type, title }, at }: RecordedNode): NodeReference {
  return { id, type, title, ...(at !== undefined && { line: at }) };
}

function parentsOf(recording: NodeRecording, node: RecordedNode): NodeReference[] {
  return recording.parentsOf(node).map(referenceTo);
}

/** A node in a few words. */
function nameOf({ line: { id, type, title } }: RecordedNode): string {
  const name = title || type;
  return name === "" ? id : `${id} ${name}`;
}
