import type { Message } from "../dissect/message.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { isArray, isBoolean, isNumber } from "../schema/language/opcode.js";
import { meaningOf } from "../schema/tree/label.js";
import { hex } from "../schema/tree/leaf.js";
import type { Value } from "./table.js";

/** Passes a row for each leaf of a message, in the order of the columns, after `capture`. */
export function forEachLeaf({ number, name, nodes }: Message, add: (row: readonly Value[]) => void): void {
  if (nodes === undefined) return;
  const leaf = (node: number, path: string): void => {
    const { kind, opcode } = nodes.field(node);
    const numeric = isNumber(opcode) || isBoolean(opcode) ? nodes.number(node) : undefined;
    const [source, start, end] = [nodes.sourceIndexOf(node), nodes.startOf(node), nodes.endOf(node)];
    add([number, name, path, leafText(nodes, node), numeric, kind, source, start, end]);
  };
  const descend = (parent: number, path: string): void => {
    const isIndexed = isArray(nodes.field(parent).opcode);
    const end = nodes.nextOf(parent);
    for (let child = parent + 1, index = 0; child < end; child = nodes.nextOf(child), index++) {
      const below = isIndexed ? `${path}[${index}]` : `${path}${path === "" ? "" : "."}${nodes.field(child).name}`;
      if (nodes.hasChildren(child)) descend(child, below);
      else leaf(child, below);
    }
  };
  descend(0, "");
}

function leafText(nodes: FieldTree, node: number): string {
  const { meaning } = nodes.field(node);
  const named = meaning?.form === "enumeration" || meaning?.form === "flags" || meaning?.form === "text";
  const value = nodes.value(node);
  if (named) return meaningOf(nodes, node) ?? String(value);
  return value instanceof Uint8Array ? hex(value) : String(value);
}
