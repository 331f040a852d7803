import type { StructType } from "./struct.js";

/**
 * Tells whether something is a type: of this or of another copy of the schema language, as a module may bring its own.
 */
export function isType(type: unknown): boolean {
  const { row }: { readonly row?: { readonly opcode?: unknown } } = Object(type);
  return typeof row?.opcode === "number";
}

/** The same of a type whose values are structs, as messages are. */
export function isStructType(type: unknown): type is StructType<unknown> {
  const { struct }: { readonly struct?: { readonly name?: unknown; readonly fields?: unknown } } = Object(type);
  return isType(type) && typeof struct?.name === "string" && Array.isArray(struct.fields);
}

/**
 * Modules from outside may be plain JavaScript, where no compiler has checked their declarations.
 *
 * @param what is to be a type, as the beginning of a sentence
 * @throws Error if it is not
 */
export function expectType(type: unknown, what: string): void {
  if (isType(type)) return;
  const reason = "undefined: is it declared further down, or in a module that imports this one?";
  throw new Error(`${what} is ${type === undefined ? reason : "not a type"}`);
}
