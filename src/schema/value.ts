import { encodeLeaf } from "./encode.js";
import { Exact } from "./exact.js";
import { isNull } from "./label.js";
import type { Nodes } from "./nodes.js";
import { Opcode } from "./opcode.js";

/**
 * The plain value of a node: numbers, strings and booleans, objects for structs, arrays; `encode` turns it back into the
 * same bytes. What the usual writer would write otherwise is wrapped as `Exact`.
 */
export function plainValue(nodes: Nodes, node: number): unknown {
  const field = nodes.field(node);
  switch (field.opcode) {
    case Opcode.Struct:
      return members(nodes, node, {});
    case Opcode.Polymorphic: {
      if (isNull(nodes, node)) return null;
      const name = field.struct?.name ?? "";
      return members(nodes, node, name === "" ? {} : { class: name });
    }
    case Opcode.Array:
    case Opcode.Tuple: {
      const elements: unknown[] = [];
      for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) {
        elements.push(plainValue(nodes, child));
      }
      return elements;
    }
    default: {
      const value = nodes.value(node);
      const bytes = nodes.bytes(node);
      if (value instanceof Uint8Array) return value.slice();
      return Buffer.compare(encodeLeaf(field, value), bytes) === 0 ? value : new Exact(value, bytes.slice());
    }
  }
}

function members(nodes: Nodes, node: number, value: Record<string, unknown>): unknown {
  for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) {
    value[nodes.field(child).name] = plainValue(nodes, child);
  }
  return wrapInflated(nodes, node, value);
}

/** A value that was inflated keeps its compressed bytes. */
function wrapInflated(nodes: Nodes, node: number, value: unknown): unknown {
  const inflated = nodes.sources.some((source) => source.parent === node);
  return inflated ? new Exact(value, nodes.bytes(node).slice()) : value;
}
