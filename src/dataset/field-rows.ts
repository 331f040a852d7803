import type { Message } from "../dissect/message.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { isArray, isBoolean, isNumber } from "../schema/language/opcode.js";
import { meaningOf } from "../schema/tree/label.js";
import { hex } from "../schema/tree/leaf.js";
import type { Row } from "./table.js";

/** Passes a row for each leaf of a message. */
export function forEachLeaf(capture: string, { number, name, nodes }: Message, add: (row: Row) => void): void {
  if (nodes === undefined) return;
  const leaf = (node: number, path: string): void => {
    const { kind, opcode } = nodes.field(node);
    add({
      capture,
      number: BigInt(number),
      message: name,
      path,
      value: leafText(nodes, node),
      numeric: isNumber(opcode) || isBoolean(opcode) ? nodes.number(node) : null,
      type: kind,
      source: nodes.sourceIndexOf(node),
      start_offset: BigInt(nodes.startOf(node)),
      end_offset: BigInt(nodes.endOf(node)),
    });
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
