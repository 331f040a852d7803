import type { FieldTree } from "../schema/language/field-tree.js";
import type { Meaning } from "../schema/language/meaning.js";
import { Opcode } from "../schema/language/opcode.js";
import { flagBits, isNull, meaningOf } from "../schema/tree/label.js";
import { compareNumbers, numberNamed } from "./named-numbers.js";
import { compareBoolean, compareScalar, compareText } from "./scalar.js";
import type { Value } from "./value.js";

/** Returns less than 0 if a node is below a value, more than 0 if above, 0 if they are equal; NaN if not comparable. */
export function compareNode(nodes: FieldTree, node: number, value: Value): number {
  const field = nodes.field(node);
  switch (field.opcode) {
    case Opcode.Struct: {
      // A struct that refers to something stands for the name of that thing.
      const text = field.meaning?.form === "reference" ? meaningOf(nodes, node) : field.struct?.shownAs?.(nodes, node);
      return text === undefined ? Number.NaN : compareText(text, value);
    }
    case Opcode.Polymorphic:
      return value.text === "null" && isNull(nodes, node) ? 0 : Number.NaN;
    case Opcode.Bool8:
    case Opcode.Bool32LE:
      return compareBoolean(nodes.number(node) !== 0, value);
    case Opcode.F32LE:
    case Opcode.F32BE:
      if (value.real32 !== undefined) return compareReal(nodes.number(node), value.real32);
      break;
    case Opcode.F64LE:
    case Opcode.F64BE:
      if (value.real !== undefined) return compareReal(nodes.number(node), value.real);
      break;
  }
  const { meaning } = field;
  // A number in the expression is the number on the wire, whatever its meaning.
  if (meaning === undefined || !Number.isNaN(value.number)) return compareScalar(nodes.value(node), value);
  return compareMeaning(nodes, node, meaning, value);
}

/** Compares a float; unlike in arithmetic, NaN equals NaN, so that a filter finds it. */
function compareReal(float: number, real: number): number {
  return Number.isNaN(float) && Number.isNaN(real) ? 0 : compareNumbers(float, real);
}

function compareMeaning(nodes: FieldTree, node: number, meaning: Meaning, value: Value): number {
  switch (meaning.form) {
    case "enumeration":
      return compareNumbers(nodes.number(node), numberNamed(meaning, value.text) ?? Number.NaN);
    case "flags":
      return compareNumbers(flagBits(nodes, node), numberNamed(meaning, value.text) ?? Number.NaN);
    default: {
      const text = meaningOf(nodes, node);
      const compared = text === undefined ? Number.NaN : compareText(text, value);
      return compared === 0 || meaning.form !== "reference" ? compared : compareScalar(nodes.value(node), value);
    }
  }
}
