import { copyOf } from "../../common/copy-of.js";
import { type Field, UNDISSECTED } from "../language/field.js";
import type { FieldTree, LeafValue } from "../language/field-tree.js";
import { holdsNodes, Opcode } from "../language/opcode.js";
import { isNull } from "../tree/label.js";
import { encodeLeaf } from "./encode-leaf.js";
import { Exact } from "./exact.js";

/**
 * Returns the plain value of a node: a number, string or boolean, an object for a struct, an array; `encode` turns it
 * back into the same bytes. A value that the usual writer would write differently is wrapped in `Exact`.
 */
export function plainValue(nodes: FieldTree, node: number): unknown {
  const field = nodes.field(node);
  if (!holdsNodes(field.opcode)) return leafValue(field, nodes.value(node), nodes.bytes(node));
  const value = innerValue(nodes, node, field);
  // A value that was inflated keeps its compressed bytes.
  const inflated = nodes.sources.some((source) => source.parent === node);
  return inflated ? new Exact(value, copyOf(nodes.bytes(node))) : value;
}

function innerValue(nodes: FieldTree, node: number, field: Field): unknown {
  switch (field.opcode) {
    case Opcode.Struct:
      return members(nodes, node, {});
    case Opcode.Polymorphic: {
      const isNothing = isNull(nodes, node) && nodes.nextOf(node) === node + 2;
      // The bytes of an unusual tag have to be kept.
      if (isNothing && !(plainValue(nodes, node + 1) instanceof Exact)) return null;
      const name = field.struct?.name ?? "";
      return members(nodes, node, name === "" ? {} : { class: name });
    }
    default: {
      const elements: unknown[] = [];
      for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) {
        const undissected = nodes.field(child) === UNDISSECTED;
        elements.push(undissected ? new Exact(undefined, copyOf(nodes.bytes(child))) : plainValue(nodes, child));
      }
      return elements;
    }
  }
}

function members(nodes: FieldTree, node: number, value: Record<string, unknown>): unknown {
  for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) {
    value[nodes.field(child).name] = plainValue(nodes, child);
  }
  return value;
}

function leafValue(field: Field, value: LeafValue, bytes: Uint8Array): unknown {
  const own = value instanceof Uint8Array ? copyOf(value) : value;
  return isUsual(field, value, bytes) ? own : new Exact(own, copyOf(bytes));
}

/** True if the usual writer makes these bytes of the value; some values it cannot write at all. */
function isUsual(field: Field, value: LeafValue, bytes: Uint8Array): boolean {
  try {
    return Buffer.compare(encodeLeaf(field, value), bytes) === 0;
  } catch {
    return false;
  }
}
