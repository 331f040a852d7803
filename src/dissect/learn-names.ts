import type { Nodes } from "../schema/nodes.js";
import type { Introduction } from "../schema/struct.js";
import type { NameBook } from "../session/name-book.js";

/** Takes down the names that a message tells. */
export function learnNames(nodes: Nodes, names: NameBook): void {
  for (const node of nodes.introductions) {
    for (const introduction of nodes.field(node).struct?.introduces ?? []) learnName(nodes, node, introduction, names);
  }
}

function learnName(nodes: Nodes, node: number, introduction: Introduction, names: NameBook): void {
  const { kind, name, when, except, makeshift } = introduction;
  if (when !== undefined && nodes.numberIn(node, when.field) !== when.is) return;
  const id = textIn(nodes, node, introduction.id);
  if (id === undefined || id === String(except)) return;
  if (makeshift && names.get(kind, id) !== undefined) return;
  const told = typeof name === "string" ? textIn(nodes, node, name) : name(nodes, node);
  if (told !== undefined) names.set(kind, id, told);
}

/** The value of a field of a struct as text; undefined if the field is absent. */
function textIn(nodes: Nodes, struct: number, name: string): string | undefined {
  const node = nodes.child(struct, name);
  return node < 0 ? undefined : String(nodes.value(node));
}
