/** Tells whether something is a type: of this or of another copy of the schema language, as a module may bring its own. */
export function isType(type: unknown): boolean {
  if (typeof type !== "object" || type === null) return false;
  const row: unknown = Reflect.get(type, "row");
  return typeof row === "object" && row !== null && typeof Reflect.get(row, "opcode") === "number";
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
