import { type Condition, Test } from "./condition.js";
import { type Length, rest } from "./length.js";
import { flagNames } from "./meaning.js";
import { isBoolean, Opcode } from "./opcode.js";
import type { Selector, TypeDescriptor } from "./type.js";

/** The fields of the struct in which a field is declared. Its rules refer to them: `flags`, or `header.flags`. */
export type Siblings = ReadonlyMap<string, TypeDescriptor>;

/** Stands for "as many as fit until the region ends". */
export const REST_TEXT = "rest";

/** Says when a field is present, in the notation of C: `flags & kHasPlayerID && !isEmpty`. */
export function conditionsText(conditions: readonly Condition[], siblings: Siblings): string {
  return conditions.map((condition) => conditionText(condition, siblings)).join(" && ");
}

function conditionText({ field, test, mask, operand }: Condition, siblings: Siblings): string {
  const { path, descriptor } = lookUp(field, siblings);
  const isFlag = operand === 0 && descriptor !== undefined && isBoolean(descriptor.opcode);
  switch (test) {
    case Test.AnyBit:
      return `${path} & ${bitsText(descriptor, mask)}`;
    case Test.MaskedEquals:
      return `(${path} & ${hexadecimal(mask)}) == ${maskedText(operand)}`;
    case Test.Equals:
      return isFlag ? `!${path}` : `${path} == ${nameOf(descriptor, operand)}`;
    case Test.NotEquals:
      return isFlag ? path : `${path} != ${nameOf(descriptor, operand)}`;
    case Test.AtLeast:
      return `${path} >= ${nameOf(descriptor, operand)}`;
    case Test.Below:
      return `${path} < ${nameOf(descriptor, operand)}`;
  }
}

/** Says how long a field is: a number, `rest`, or how it follows from another field: `(rawCount & 0xfff) * 2 + 1`. */
export function lengthText(length: Length, siblings: Siblings): number | string {
  if (length === rest) return REST_TEXT;
  if (typeof length === "number") return length;
  const { field, mask = -1, times = 1, plus = 0 } = typeof length === "string" ? { field: length } : length;
  const { path } = lookUp(field, siblings);
  const counted = mask === -1 ? path : `(${path} & ${hexadecimal(mask)})`;
  const multiplied = times === 1 ? counted : `${counted} * ${times}`;
  return plus === 0 ? multiplied : `${multiplied} ${plus < 0 ? "-" : "+"} ${Math.abs(plus)}`;
}

/** Says for which values of the selector a choice is made. */
export function choiceText(selector: Selector, values: readonly number[], siblings: Siblings): string {
  const { field, mask = -1 } = typeof selector === "string" ? { field: selector } : selector;
  const { path, descriptor } = lookUp(field, siblings);
  const looked = mask === -1 ? path : `(${path} & ${hexadecimal(mask)})`;
  const unnamed = mask === -1 ? String : maskedText;
  return values.map((value) => `${looked} == ${nameOf(descriptor, value, unnamed)}`).join(" || ");
}

/** Returns the field that a rule names; if it is an array, its first element. */
export function lookUp(
  name: string,
  siblings: Siblings,
): { readonly path: string; readonly descriptor: TypeDescriptor | undefined } {
  const [head = "", ...tail] = name.split(".");
  const descriptor = siblings.get(head);
  if (tail.length > 0) {
    const inner = lookUp(tail.join("."), descriptor?.struct?.descriptors ?? new Map());
    return { path: `${head}.${inner.path}`, descriptor: inner.descriptor };
  }
  return descriptor?.opcode === Opcode.Array
    ? { path: `${name}[0]`, descriptor: descriptor.element }
    : { path: name, descriptor };
}

function nameOf(
  descriptor: TypeDescriptor | undefined,
  value: number,
  unnamed: (value: number) => string = String,
): string {
  return (descriptor?.meaning?.form === "enumeration" && descriptor.meaning.names.get(value)) || unnamed(value);
}

/** A value under a mask, in the notation of the mask. */
function maskedText(value: number): string {
  return value === 0 ? "0" : hexadecimal(value);
}

function bitsText(descriptor: TypeDescriptor | undefined, mask: number): string {
  const bits = mask >>> 0;
  const names = descriptor?.meaning?.form === "flags" ? flagNames(descriptor.meaning.names, bits) : [hexadecimal(bits)];
  return names.length === 1 ? names.join("") : `(${names.join(" | ")})`;
}

function hexadecimal(mask: number): string {
  return `0x${(mask >>> 0).toString(16)}`;
}
