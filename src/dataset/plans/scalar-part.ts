import { fieldJsonBytes } from "../../output/json/field-json.js";
import type { Field } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { has64Bits, holdsNodes, isBoolean, isNumber, Opcode, rangeOf } from "../../schema/language/opcode.js";
import { isNull } from "../../schema/tree/label.js";
import { readNumber } from "../../schema/tree/leaf.js";
import { BooleanValues } from "../columns/boolean-values.js";
import type { ScalarBuilder } from "../columns/builder.js";
import type { Leaf } from "../columns/leaf.js";
import { NumberValues } from "../columns/number-values.js";
import { PrefixedValues } from "../columns/prefixed-values.js";
import { type EnterValue, MISFIT, NO_PART, type Part } from "./part.js";
import { textEntry } from "./texts.js";

const N = 0x6e;

/** Returns what a field is in a column of single values. @param isRaw true for numbers behind names */
export function scalarPart({ kind, leaf }: ScalarBuilder, field: Field, isRaw: boolean): Part {
  const { values } = leaf;
  // If a number does not fit, its name says enough.
  const otherwise = isRaw ? leaf.deepest - 1 : MISFIT;
  if (values instanceof PrefixedValues) {
    const own =
      kind === "bytes" ? bytesEntry(leaf, values) : kind === "json" && !isRaw ? jsonEntry(leaf, values) : undefined;
    const enter = own ?? stringEntry(leaf, values, field, isRaw);
    if (enter !== undefined && !isRaw) return { kind: "text", leaf, values, enter };
    if (enter !== undefined) {
      return { kind: "text", leaf, values, enter: (nodes, node) => Math.max(enter(nodes, node), otherwise) };
    }
  }
  const isFraction = kind === "float" || kind === "double";
  // A truth value is no fraction.
  const never = holdsNodes(field.opcode) || (isFraction && isBoolean(field.opcode));
  if (!never && (values instanceof NumberValues || values instanceof BooleanValues)) {
    const opcode = opcodeIfFits(leaf, field);
    return { kind: "number", leaf, values, read: reader(field), opcode, otherwise, absent: otherwise };
  }
  return isRaw ? { kind: "null", leaf } : NO_PART;
}

/** Returns what enters a text; undefined if there never is one. */
function stringEntry(leaf: Leaf, values: PrefixedValues, field: Field, isRaw: boolean): EnterValue | undefined {
  const { opcode } = field;
  const entered = leaf.deepest;
  if (isRaw && !holdsNodes(opcode))
    return (nodes, node) => (values.enter(String(nodes.value(node))) ? entered : MISFIT);
  if (opcode === Opcode.Polymorphic && field.struct === undefined) {
    return (nodes, node) => (isNull(nodes, node) ? entered - 1 : MISFIT);
  }
  const enter = textEntry(values, field);
  return enter && ((nodes, node) => (enter(nodes, node) ? entered : MISFIT));
}

function jsonEntry({ deepest }: Leaf, values: PrefixedValues): EnterValue {
  return (nodes, node) => {
    const json = fieldJsonBytes(nodes, node);
    // Of all values in JSON, only null begins like this.
    if (json[0] === N) return deepest - 1;
    values.enterBytes(json);
    return deepest;
  };
}

function bytesEntry({ deepest }: Leaf, values: PrefixedValues): EnterValue {
  return (nodes, node) => (values.enter(nodes.value(node)) ? deepest : MISFIT);
}

function reader({
  opcode,
}: Field): (nodes: FieldTree, node: number) => number | bigint | boolean | string | Uint8Array {
  if (!isBoolean(opcode) && (!isNumber(opcode) || has64Bits(opcode))) return (nodes, node) => nodes.value(node);
  return (nodes, node) => {
    const { view, origin } = nodes.sourceOf(node);
    return readNumber(opcode, view, origin + nodes.startOf(node));
  };
}

function opcodeIfFits({ values }: Leaf, field: Field): Opcode | undefined {
  const { opcode } = field;
  if (!(values instanceof NumberValues)) return isBoolean(opcode) ? opcode : undefined;
  // Any number can be a truth value, whatever the range says.
  if (!isNumber(opcode)) return undefined;
  if (has64Bits(opcode)) return values.hasWordsOf(isSigned(opcode)) ? opcode : undefined;
  return values.holds(rangeOf(field)) ? opcode : undefined;
}

function isSigned(opcode: Opcode): boolean {
  return opcode === Opcode.I64LE || opcode === Opcode.I64BE;
}
