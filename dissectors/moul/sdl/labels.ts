import { type Fact, type FieldTree, factText, withTwin } from "moul-dissect/schema";
import {
  atomicCounts,
  type SimpleType,
  type StateDescriptor,
  type StateVariable,
  titleOf,
  typeText,
} from "./state-descriptor.js";
import { SimpleVariableFlags } from "./variable-flags.js";

type Label = (nodes: FieldTree, node: number) => string | undefined;
/** A part of a text; a number is one of single precision. */
type Part = string | number;
/** Those of the latest fact. */
const parts: Part[] = [];

/** Most elements of an array that a label shows. */
const MOST_ELEMENTS = 8;

/** `physical version 2, 3 of 5 variables`. */
export function recordLabel(descriptor: StateDescriptor): Label {
  const total = descriptor.variables.length;
  const title = titleOf(descriptor);
  const label: Label = (nodes, node) => {
    const simple = nodes.numberIn(node, "simpleVariableCount");
    const nested = nodes.numberIn(node, "nestedVariableCount");
    return simple === undefined || nested === undefined ? title : `${title}, ${simple + nested} of ${total} variables`;
  };
  return withTwin(label, "recordLabel", () => ({ title, total }));
}

/** `INT number = 5`, `POINT3 position = (1, 2, 3)`, `BOOL isOpen = false (default)`, `INT scores[3] = 1, 2, 3`. */
export function simpleLabel(variable: StateVariable): Label {
  const declared = declarationOf(variable);
  const addsValues = valuesOf(variable);
  const label: Label = (nodes, node) => {
    const values: Part[] = [];
    if (addsValues(values, nodes, node)) return `${declared} = ${factText(values)}`;
    return isDefault(nodes, node) ? `${declared}${defaultText(variable, " = ")}` : declared;
  };
  return withTwin(label, "simpleLabel", () => ({
    declared,
    byDefault: defaultText(variable, " = "),
    ...sizes(variable),
  }));
}

/**
 * `number=5`, `position=(1, 2, 3)`, `isOpen=false (default)`, `scores=(1, 2, 3)`, `scores=()` if there are none,
 * `names=…` if they are too many, or not all there.
 */
export function simpleFact(variable: StateVariable): (nodes: FieldTree, node: number) => Fact {
  const { name, length } = variable;
  const addsValues = valuesOf(variable);
  const given = (nodes: FieldTree, node: number): Fact => {
    if ((length ?? nodes.numberIn(node, "arrayLength")) === 0) return `${name}=()`;
    while (parts.length > 0) parts.pop();
    parts.push(length === 1 ? `${name}=` : `${name}=(`);
    if (!addsValues(parts, nodes, node)) return `${name}=…`;
    if (length !== 1) parts.push(")");
    return parts;
  };
  const byDefault = `${name}${defaultText(variable, "=")}`;
  const known = isWholeNumber(variable) ? new KnownFacts(given) : undefined;
  const fact = (nodes: FieldTree, node: number): Fact => {
    if (isDefault(nodes, node)) return byDefault;
    return known === undefined ? given(nodes, node) : known.of(nodes, node);
  };
  return withTwin(fact, "simpleFact", () => ({ name, byDefault: defaultText(variable, "="), ...sizes(variable) }));
}

/** The types whose values are whole numbers, or 0 and 1. */
const WHOLE: ReadonlySet<string> = new Set<SimpleType>(["INT", "BOOL", "BYTE", "SHORT"]);

/** True for a variable with one number, which tends to have few values. */
function isWholeNumber({ length, type }: StateVariable): boolean {
  return length === 1 && "simple" in type && WHOLE.has(type.simple);
}

/** Most facts of a variable that are kept. */
const MOST_KEPT = 256;

/** The facts of a variable with one number, each of which is made once. */
class KnownFacts {
  readonly #facts = new Map<number, string>();

  constructor(readonly make: (nodes: FieldTree, node: number) => Fact) {}

  of(nodes: FieldTree, node: number): Fact {
    const values = nodes.child(node, "values");
    const value = values + 1;
    // Bytes stand in place of a number that is not all there.
    const isThere = values >= 0 && nodes.nextOf(values) === value + 1 && nodes.field(value).kind !== "bytes";
    if (!isThere) return this.make(nodes, node);
    const number = nodes.number(value);
    let fact = this.#facts.get(number);
    if (fact === undefined) {
      fact = factText(this.make(nodes, node));
      if (this.#facts.size < MOST_KEPT) this.#facts.set(number, fact);
    }
    return fact;
  }
}

/** How many elements a variable has, if that is declared, and of how many numbers each consists. */
function sizes({ length, type }: StateVariable): { readonly total: number | undefined; readonly parts: number } {
  return { total: length, parts: "simple" in type ? atomicCounts[type.simple] : 1 };
}

/** True for a variable without values because it has those that it is declared with, not because they are cut off. */
function isDefault(nodes: FieldTree, node: number): boolean {
  return ((nodes.numberIn(node, "flags") ?? 0) & SimpleVariableFlags.kSameAsDefault) !== 0;
}

function defaultText({ defaultValue }: StateVariable, before: string): string {
  return defaultValue === undefined ? " (default)" : `${before}${defaultValue} (default)`;
}

/**
 * `$clothingItem wardrobe[], 2 of 9 elements; clients reject element 9`. Source: plSDL/plStateVariable.cpp,
 * plSDStateVariable::ReadData.
 */
export function nestedLabel(variable: StateVariable): Label {
  const declared = declarationOf(variable);
  const label: Label = (nodes, node) => {
    const count = nodes.numberIn(node, "elementCount");
    const total = variable.length ?? nodes.numberIn(node, "arrayLength");
    if (count === undefined || total === undefined) return declared;
    const share = variable.length === 1 ? "" : `, ${count} of ${total} ${total === 1 ? "element" : "elements"}`;
    const rejected = indexBeyond(nodes, nodes.child(node, "elements"), total);
    return `${declared}${share}${rejected === undefined ? "" : `; clients reject element ${rejected}`}`;
  };
  return withTwin(label, "nestedLabel", () => ({ declared, total: variable.length }));
}

/** The first element index that is beyond the end of an array of that length. */
function indexBeyond(nodes: FieldTree, elements: number, length: number): number | undefined {
  if (elements < 0) return undefined;
  for (let node = elements + 1; node < nodes.nextOf(elements); node = nodes.nextOf(node)) {
    const index = nodes.numberIn(node, "index");
    if (index !== undefined && index >= length) return index;
  }
  return undefined;
}

/** `INT scores[3]`; without brackets if it is one value. */
function declarationOf({ name, type, length }: StateVariable): string {
  return `${typeText(type)} ${name}${length === 1 ? "" : `[${length ?? ""}]`}`;
}

/** Adds the values of a variable to a text, as `addValues` does. */
function valuesOf(variable: StateVariable): (to: Part[], nodes: FieldTree, node: number) => boolean {
  const { total: length, parts: each } = sizes(variable);
  return (to, nodes, node) => {
    const values = nodes.child(node, "values");
    const total = length ?? nodes.numberIn(node, "arrayLength");
    return values >= 0 && total !== undefined && addValues(to, nodes, values, total, each);
  };
}

/**
 * Adds a few values; false if there are none, or too many, if the capture ends before the last one, or if they are not
 * simple.
 *
 * @param total how many there should be
 * @param each of how many numbers each consists
 */
function addValues(to: Part[], nodes: FieldTree, values: number, total: number, each = 1): boolean {
  if (total > MOST_ELEMENTS) return false;
  let count = 0;
  const end = nodes.nextOf(values);
  for (let node = values + 1; node < end; node = nodes.nextOf(node)) {
    if (count > 0) to.push(", ");
    if (!addElement(to, nodes, node, each)) return false;
    count++;
  }
  return count > 0 && count === total;
}

function addElement(to: Part[], nodes: FieldTree, node: number, each: number): boolean {
  const { struct, kind } = nodes.field(node);
  if (struct !== undefined) {
    const text = struct.shownAs?.(nodes, node);
    if (text !== undefined) to.push(text);
    const name = text === undefined ? nodes.child(node, "objectName") : -1;
    return text !== undefined || (name >= 0 && addLeaf(to, nodes, name));
  }
  if (kind !== "array") return addLeaf(to, nodes, node);
  to.push("(");
  const isThere = addValues(to, nodes, node, each);
  to.push(")");
  return isThere;
}

function addLeaf(to: Part[], nodes: FieldTree, node: number): boolean {
  const value = nodes.value(node);
  if (value instanceof Uint8Array) return false;
  if (typeof value === "string") to.push(JSON.stringify(value));
  else to.push(typeof value === "number" && nodes.field(node).kind === "f32le" ? value : String(value));
  return true;
}
