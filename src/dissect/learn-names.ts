import type { Names } from "../dissector/dissector.js";
import type { Introduction } from "../schema/language/struct.js";
import type { FieldTree } from "../schema/tree/field-tree.js";

/** Records the names that a message introduces. */
export function learnNames(nodes: FieldTree, names: Names): void {
  for (const node of nodes.introductions) {
    const introductions = nodes.field(node).struct?.introduces ?? [];
    // One class may introduce many things, each under a condition on the same field.
    let field = "";
    let number: number | undefined;
    for (const introduction of introductions) {
      const { when } = introduction;
      if (when !== undefined && when.field !== field) {
        field = when.field;
        number = nodes.numberIn(node, field);
      }
      if (when === undefined || number === when.is) learnName(nodes, node, introduction, names);
    }
  }
}

function learnName(nodes: FieldTree, node: number, introduction: Introduction, names: Names): void {
  const { kind, name, except, makeshift } = introduction;
  const id = nodes.textIn(node, introduction.id);
  if (id === undefined || id === String(except)) return;
  if (makeshift && names.get(kind, id) !== undefined) return;
  const newName = typeof name === "string" ? nodes.textIn(node, name) : name(nodes, node);
  if (newName !== undefined) names.set(kind, id, newName);
}
