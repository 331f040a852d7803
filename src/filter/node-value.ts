import { type Field, isWholeNumber } from "../schema/field.js";
import type { FieldTree } from "../schema/field-tree.js";
import { flagBits, isNull, meaningOf } from "../schema/label.js";
import type { Meaning } from "../schema/meaning.js";
import { Opcode } from "../schema/opcode.js";
import { compareBoolean, compareNumbers, compareScalar, compareText } from "./scalar.js";
import type { Value } from "./value.js";

/** Below 0 if a node is less than a value, above 0 if it is more, 0 if they are equal; NaN if they do not compare. */
export function compareNode(nodes: FieldTree, node: number, value: Value): number {
  const field = nodes.field(node);
  switch (field.opcode) {
    case Opcode.Struct: {
      // A struct that refers to something stands for the name of that.
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
      return compareNumbers(nodes.number(node), value.float32);
  }
  const { meaning } = field;
  // A number in the expression is the number on the wire, whatever that means.
  if (meaning === undefined || !Number.isNaN(value.number)) return compareScalar(nodes.value(node), value);
  return compareMeaning(nodes, node, meaning, value);
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

/** The bits of a number that a mask, a number or the names of flags, leaves; undefined if it has no bits. */
export function maskedBits(nodes: FieldTree, node: number, mask: Value): number | bigint | undefined {
  const field = nodes.field(node);
  const bits = maskOf(field, mask);
  return bits === undefined || !isWholeNumber(field) ? undefined : and(flagBits(nodes, node), bits);
}

/** The same of a number that no node stands for. */
export function maskedNumber(number: number, mask: Value): number | bigint | undefined {
  const bits = bitsIn(mask);
  return bits === undefined ? undefined : and(number, bits);
}

/** The bits that a value stands for in a field: a number, or names of flags or of an enum's values. */
export function maskOf({ meaning }: Field, mask: Value): number | bigint | undefined {
  const bits = bitsIn(mask);
  if (bits !== undefined) return bits;
  return meaning?.form === "flags" || meaning?.form === "enumeration" ? numberNamed(meaning, mask.text) : undefined;
}

function bitsIn({ integer, number }: Value): number | bigint | undefined {
  if (integer === undefined) return undefined;
  // 32 bits are what flags usually have, and need no bigints.
  return number >= 0 && number <= 0xffffffff ? number : BigInt.asUintN(64, integer);
}

/** True if all of some bits are set. */
export function hasBits(bits: number | bigint, wanted: number | bigint): boolean {
  const common = and(bits, wanted);
  return common !== undefined && compareNumbers(common, wanted) === 0;
}

/** The bits that are set in both; undefined if `a` is no whole number. */
function and(a: number | bigint, b: number | bigint): number | bigint | undefined {
  if (typeof a === "number" && !Number.isInteger(a)) return undefined;
  if (typeof a === "number" && a <= 0xffffffff && b <= 0xffffffff) return (a & Number(b)) >>> 0;
  return BigInt(a) & BigInt(b);
}

type Named = Extract<Meaning, { readonly names: ReadonlyMap<number, string> }>;

const numbersOf = new WeakMap<Named, Map<string, number>>();

/** The number that a name stands for, or names of flags with `|` between them; undefined if one of them is unknown. */
export function numberNamed(meaning: Named, text: string): number | undefined {
  let numbers = numbersOf.get(meaning);
  if (numbers === undefined) {
    numbers = new Map([...meaning.names].map(([number, name]) => [name, number]));
    numbersOf.set(meaning, numbers);
  }
  const number = numbers.get(text);
  if (number !== undefined || meaning.form !== "flags" || !text.includes("|")) return number;
  let sum = 0;
  for (const name of new Set(text.split("|"))) sum += numbers.get(name.trim()) ?? Number.NaN;
  return Number.isNaN(sum) ? undefined : sum;
}
