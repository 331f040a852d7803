import type { Names } from "../dissector/dissector.js";
import { isProvisional, type NameBinding } from "../schema/language/derived.js";
import type { FieldTree } from "../schema/language/field-tree.js";

/** Records the names that a message introduces. */
export function learnNames(tree: FieldTree, names: Names): void {
  const nodes = tree.naming;
  for (const node of nodes.nameBindings) {
    const bindings = nodes.field(node).struct?.introduces ?? [];
    // One class may introduce many things, each under a condition on the same field.
    let field = "";
    let number: number | undefined;
    for (const binding of bindings) {
      const { when } = binding;
      if (when !== undefined && when.field !== field) {
        field = when.field;
        number = nodes.numberIn(node, field);
      }
      if (when === undefined || number === when.is) learnName(nodes, node, binding, names);
    }
  }
}

function learnName(nodes: FieldTree, node: number, binding: NameBinding, names: Names): void {
  const { kind, name, except } = binding;
  const id = nodes.textIn(node, binding.id);
  if (id === undefined || id === String(except)) return;
  if (isProvisional(binding) && names.get(kind, id) !== undefined) return;
  const newName = typeof name === "string" ? nodes.textIn(node, name) : name(nodes, node);
  if (newName !== undefined) names.set(kind, id, newName);
}
