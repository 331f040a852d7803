import { isObject, type Json } from "../common/json.js";
import type { Value } from "./value.js";
import type { DerivedTerm } from "./vocabulary.js";

/** How a value is used. */
export type Use = "compared" | "ordered" | "contained" | "matched" | "mask" | "bits" | "slice";

/** True for a whole value that is compared: for equality ("compared"), or as less or more ("ordered"). */
export function isComparison(use: Use): boolean {
  return use === "compared" || use === "ordered";
}

/** What a derived value can be, according to its JSON Schema. */
interface DerivedValue {
  /** True if the schema rules nothing out. */
  readonly isAnything: boolean;
  readonly isNumber: boolean;
  readonly isTruth: boolean;
  readonly isText: boolean;
  /** True for a set of flags: the names are those of its bits. */
  readonly areBits: boolean;
  /** True for a list of bits: each value is the number of one, or its name. */
  readonly areBitNumbers: boolean;
  /** The texts that it can be, if it is one of a list. */
  readonly names: readonly string[];
}

const NOTHING: DerivedValue = {
  isAnything: false,
  isNumber: false,
  isTruth: false,
  isText: false,
  areBits: false,
  areBitNumbers: false,
  names: [],
};
const ANYTHING: DerivedValue = { ...NOTHING, isAnything: true };

/** Returns what a value can be according to its declaration. */
export function derivedValue({ schema, names = {}, areBits, areBitNumbers }: DerivedTerm): DerivedValue {
  if (areBits === true) return { ...NOTHING, areBits, names: Object.keys(names) };
  if (areBitNumbers === true) return { ...NOTHING, areBitNumbers, names: Object.keys(names) };
  return schemaValue(schema);
}

/** Reads a JSON Schema. For an array, as in every comparison, the elements count. */
function schemaValue(schema: Json): DerivedValue {
  if (isObject(schema)) {
    const { anyOf, enum: values, const: only, items, type } = schema;
    if (Array.isArray(anyOf)) return together(anyOf.map(schemaValue));
    if (Array.isArray(values)) return together(values.map(ofConstant));
    if (only !== undefined) return ofConstant(only);
    if (items !== undefined) return schemaValue(items);
    if (type === "integer" || type === "number") return { ...NOTHING, isNumber: true };
    if (type === "boolean") return { ...NOTHING, isTruth: true };
    if (type === "string") return { ...NOTHING, isText: true };
  }
  return ANYTHING;
}

function ofConstant(value: Json): DerivedValue {
  if (typeof value === "string" || value === null) return { ...NOTHING, names: [String(value)] };
  if (typeof value === "object") return ANYTHING;
  return { ...NOTHING, isNumber: typeof value === "number", isTruth: typeof value === "boolean" };
}

function together(values: readonly DerivedValue[]): DerivedValue {
  return {
    isAnything: values.some(({ isAnything }) => isAnything),
    isNumber: values.some(({ isNumber }) => isNumber),
    isTruth: values.some(({ isTruth }) => isTruth),
    isText: values.some(({ isText }) => isText),
    areBits: false,
    areBitNumbers: false,
    names: values.flatMap(({ names }) => names),
  };
}

/** False if the value of an expression can never be used with it. */
export function derivedTakes(derived: DerivedValue, use: Use, value: Value): boolean {
  const { isAnything, isNumber, isTruth, isText, areBits, areBitNumbers, names } = derived;
  if (isAnything) return true;
  if (areBits) return flagsTake(names, use, value);
  if (areBitNumbers) return bitsTake(names, use, value);
  if (use === "mask" || use === "bits") return isNumber && value.integer !== undefined;
  if (isText) return true;
  if (names.length > 0 && (use === "matched" || use === "slice" || names.includes(value.text))) return true;
  if (use === "contained") return names.some((name) => name.includes(value.text));
  if (!isComparison(use)) return false;
  if (isTruth && (value.text === "true" || value.text === "false")) return true;
  return (isNumber || isTruth) && !Number.isNaN(value.number);
}

/** As with a field of flags, a value is a number or the names of bits. */
function flagsTake(names: readonly string[], use: Use, value: Value): boolean {
  if (use === "matched") return true;
  const areKnown = value.text.split("|").every((name) => names.includes(name.trim()));
  return areKnown || (value.integer !== undefined && use !== "contained");
}

/** A value is one bit, a mask any number of them. */
function bitsTake(names: readonly string[], use: Use, value: Value): boolean {
  if (use === "matched") return true;
  if (use === "bits") return false;
  if (value.integer !== undefined) return use !== "contained" && value.integer >= 0n;
  const wanted = use === "mask" ? value.text.split("|") : [value.text];
  return wanted.every((name) => names.includes(name.trim()));
}

/** What errors call a number whose bits have names. */
export const FLAGS = "a set of flags";

/** Returns what errors call it. */
export function derivedKind({ isNumber, isTruth, areBits, areBitNumbers }: DerivedValue): string {
  if (areBits || areBitNumbers) return FLAGS;
  if (isNumber) return "a number";
  return isTruth ? "true or false" : "a text";
}
