import type { Json } from "../../common/json.js";
import type { IdentifierMapping } from "../identifier-mapping.js";
import type { NodeComparison } from "./compare-nodes.js";
import type { NodeLine } from "./node-line.js";
import { idOf, labelOf, type NodeRecording, type RecordedNode } from "./node-recording.js";

/** What becomes of the nodes in an expectation. */
interface NodeUpdate {
  /** Old lines that stay. */
  readonly kept: ReadonlySet<number>;
  /** Nodes that take the places of old lines. */
  readonly replaced: ReadonlyMap<number, NodeLine>;
  /** New ones, which follow all lines. */
  readonly added: readonly NodeLine[];
}

/** Works out how to update the nodes in an expectation; the new lines have the ids of the expectation. */
export function updatedNodes(
  expected: NodeRecording,
  found: NodeRecording,
  { differences, pairs }: NodeComparison,
  mapping: IdentifierMapping,
): NodeUpdate {
  const changed = new Set(differences.map((difference) => ("expected" in difference ? difference.expected.line : 0)));
  const kept = new Set<number>();
  const replaced = new Map<number, NodeLine>();
  // A node that comes or goes is only one difference, but the lines of what it belongs to change as well.
  const isSameFamily = (one: RecordedNode, other: RecordedNode) => {
    const others = new Set(other.line.children);
    return (
      one.line.children.length === other.line.children.length &&
      expected.childrenOf(one).every((child) => others.has(pairs.get(child)?.line.id ?? ""))
    );
  };
  for (const [one, other] of pairs) {
    if (one.at === undefined) continue;
    if (!changed.has(one.at) && isSameFamily(one, other)) kept.add(one.at);
    else replaced.set(one.at, relabelled(other));
  }
  const taken = new Set(pairs.values());
  return { kept, replaced, added: [...found.nodes].filter((node) => !taken.has(node)).map(relabelled) };

  function relabelled(node: RecordedNode): NodeLine {
    const { line } = node;
    const space = found.spaceOf(node);
    const ownId = (id: string) => idOf(mapping.expectedLabel(space, -1, labelOf(id)) ?? labelOf(id));
    const fields = Object.entries(line.fields).map(([name, value]): [string, Json] => {
      const kinds = Object.hasOwn(line.refersTo, name) ? line.refersTo[name] : undefined;
      const label = kinds && mapping.expectedLabel(found.forms.spaceOf(kinds), -1, JSON.stringify(value));
      return [name, label === undefined ? value : JSON.parse(label)];
    });
    return { ...line, id: ownId(line.id), fields: Object.fromEntries(fields), children: line.children.map(ownId) };
  }
}
