/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A value as JSON. Other than `JSON.stringify`, it writes -0 as what it is. */
export function jsonText(value: unknown): string {
  return hasMinusZero(value) ? exactText(value) : JSON.stringify(value);
}

function hasMinusZero(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return Object.is(value, -0);
  return (Array.isArray(value) ? value : Object.values(value)).some(hasMinusZero);
}

function exactText(value: unknown): string {
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((element) => exactText(element ?? null)).join()}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`).join()}}`;
}

/** True for a JSON array; `Array.isArray` would make its elements `any`. */
export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** True for a JSON object. */
export function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !isArray(value);
}
