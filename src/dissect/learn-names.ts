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
    // Those of a struct tend to depend on one number, and many to be of one thing.
    let [decider, idField] = ["", ""];
    let number: number | undefined;
    let id: string | undefined;
    for (const binding of bindings) {
      const { when } = binding;
      if (when !== undefined && when.field !== decider) {
        decider = when.field;
        number = nodes.numberIn(node, decider);
      }
      if (when !== undefined && number !== when.is) continue;
      if (binding.id !== idField) {
        idField = binding.id;
        id = nodes.textIn(node, idField);
      }
      if (id !== undefined) learnName(nodes, node, binding, id, names);
    }
  }
}

function learnName(nodes: FieldTree, node: number, binding: NameBinding, id: string, names: LearntNames): void {
  const { kind, name, except } = binding;
  if (except !== undefined && id === String(except)) return;
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
