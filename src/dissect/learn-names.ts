import { isProvisional, type NameBinding } from "../schema/language/derived.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import type { Learning, LearntNames } from "../session/name-book.js";

const FINAL: Learning = { isProvisional: false };
const PROVISIONAL: Learning = { isProvisional: true };

/** Records the names that a message introduces. */
export function learnNames(tree: FieldTree, names: LearntNames): void {
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

function learnName(nodes: FieldTree, node: number, binding: NameBinding, names: LearntNames): void {
  const { kind, name, except } = binding;
  const id = nodes.textIn(node, binding.id);
  if (id === undefined || (except !== undefined && id === String(except))) return;
  const learning = isProvisional(binding) ? PROVISIONAL : FINAL;
  if (learning.isProvisional && names.knows(kind, id)) return;
  if (typeof name === "string") {
    const text = nodes.textIn(node, name);
    if (text !== undefined) names.learn({ kind, id }, text, learning);
  } else if (typeof name === "function") names.learn({ kind, id }, () => name(nodes, node), learning);
  else {
    const other = nodes.textIn(node, name.in);
    if (other === undefined) return;
    const { nameOf, before = "" } = name;
    names.learn({ kind, id }, { kind: nameOf, id: other }, { ...learning, before });
  }
}
