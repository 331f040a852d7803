import type { FieldTree } from "../schema/language/field-tree.js";
import { holdsNodes } from "../schema/language/opcode.js";
import { type Disclosure, isSensitiveBy } from "../schema/language/sensitive.js";

/** Visits all leaves below a node, by default the root, in wire order, with the kind of secret that each reveals. */
export function forEachLeaf(
  nodes: FieldTree,
  visit: (leaf: number, kind: Disclosure | undefined) => void,
  parent = 0,
): void {
  for (let node = parent + 1; node < nodes.nextOf(parent); node = nodes.nextOf(node)) {
    const { opcode, sensitive } = nodes.field(node);
    if (holdsNodes(opcode)) forEachLeaf(nodes, visit, node);
    else if (sensitive === undefined || !isSensitiveBy(sensitive)) visit(node, sensitive);
    else {
      const { by, kinds, otherwise } = sensitive;
      const number = nodes.numberIn(parent, by);
      visit(node, number !== undefined && kinds.has(number) ? kinds.get(number) : otherwise);
    }
  }
}
