import { fieldJson } from "../output/json/field-json.js";
import type { Field } from "../schema/language/field.js";
import type { FieldTree } from "../schema/language/field-tree.js";
import { has64Bits, holdsNodes, isBoolean, isNumber, Opcode } from "../schema/language/opcode.js";
import { copierOf } from "../schema/tree/copy-text.js";
import { classOf, isNull } from "../schema/tree/label.js";
import { hex, readNumber } from "../schema/tree/leaf.js";
import type { ScalarBuilder } from "./columns/builder.js";
import { PrefixedValues } from "./columns/prefixed-values.js";
import type { Value } from "./table.js";

/**
 * Adds the value of a node to a column; false if it does not fit.
 *
 * @param repetition the list that goes on with it: 0 for a new row
 */
export type Append = (nodes: FieldTree, node: number, repetition: number) => boolean;

/** Returns what adds the values of a field to a column of single values. @param isRaw true for numbers behind names */
export function appendScalar(builder: ScalarBuilder, field: Field, isRaw: boolean): Append {
  const { kind } = builder;
  if (kind === "json" && !isRaw) {
    return (nodes, node, repetition) => {
      const json = fieldJson(nodes, node);
      return builder.add(json === "null" ? null : json, repetition);
    };
  }
  const { opcode } = field;
  const { values } = builder.leaf;
  const copy = isShownAsItIs(field) ? copierOf(field) : undefined;
  if (kind === "text" && copy !== undefined && values instanceof PrefixedValues) {
    return (nodes, node, repetition) => {
      const { bytes, origin } = nodes.sourceOf(node);
      const [start, end] = [origin + nodes.startOf(node), origin + nodes.endOf(node)];
      if (!values.addCaptured(copy, bytes, start, end)) return builder.add(plainText(nodes, node), repetition);
      builder.leaf.present(repetition);
      return true;
    };
  }
  if (kind === "text") {
    const text = isRaw && !holdsNodes(opcode) ? rawText : textOf(field);
    return (nodes, node, repetition) => {
      const value = text(nodes, node);
      return value !== undefined && builder.add(value, repetition);
    };
  }
  // A truth value is no fraction.
  const isFraction = kind === "float" || kind === "double";
  if (holdsNodes(opcode) || (isFraction && isBoolean(opcode))) return () => false;
  if (isBoolean(opcode) || (isNumber(opcode) && !has64Bits(opcode))) {
    const { leaf } = builder;
    return (nodes, node, repetition) => {
      const { view, origin } = nodes.sourceOf(node);
      if (!values.add(readNumber(opcode, view, origin + nodes.startOf(node)))) return false;
      leaf.present(repetition);
      return true;
    };
  }
  return (nodes, node, repetition) => builder.add(nodes.value(node), repetition);
}

function isShownAsItIs({ meaning }: Field): boolean {
  return meaning?.form !== "enumeration" && meaning?.form !== "text";
}

function rawText(nodes: FieldTree, node: number): Value {
  return String(nodes.value(node));
}

/** Returns what makes a text of a value; null for a null one, undefined for one that has no text. */
function textOf({ opcode, struct, meaning }: Field): (nodes: FieldTree, node: number) => Value {
  switch (opcode) {
    case Opcode.Struct:
      return (nodes, node) => struct?.shownAs?.(nodes, node);
    case Opcode.Polymorphic:
      return (nodes, node) => {
        if (isNull(nodes, node)) return null;
        return struct === undefined ? undefined : classOf(nodes, node);
      };
    case Opcode.Array:
    case Opcode.Tuple:
      return () => undefined;
    default:
  }
  switch (meaning?.form) {
    case "enumeration":
      return (nodes, node) => meaning.names.get(nodes.number(node)) ?? plainText(nodes, node);
    case "text":
      return (nodes, node) => meaning.describe(nodes.number(node));
    default:
      return plainText;
  }
}

function plainText(nodes: FieldTree, node: number): string {
  const value = nodes.value(node);
  return value instanceof Uint8Array ? hex(value) : String(value);
}
