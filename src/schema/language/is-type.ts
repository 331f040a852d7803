import type { StructType } from "./struct.js";

/** True for a type, made by this copy of the schema language or by another, since a module may bring its own. */
export function isType(type: unknown): boolean {
  const { descriptor }: { readonly descriptor?: { readonly opcode?: unknown } } = Object(type);
  return typeof descriptor?.opcode === "number";
}

/** True for a type whose values are structs, as messages are. */
export function isStructType(type: unknown): type is StructType<unknown> {
  const { struct }: { readonly struct?: { readonly name?: unknown; readonly descriptors?: unknown } } = Object(type);
  return isType(type) && typeof struct?.name === "string" && struct.descriptors instanceof Map;
}

/**
 * Checks that a value is a type. External modules may be plain JavaScript, whose declarations no compiler has checked.
 *
 * @param what names the value, as the subject of a sentence
 * @throws Error if it is not a type
 */
export function expectType(type: unknown, what: string): void {
  if (isType(type)) return;
  const reason = "undefined: is it declared further down, or in a module that imports this one?";
  throw new Error(`${what} is ${type === undefined ? reason : "not a type"}`);
}
