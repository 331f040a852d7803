import { expectMembers } from "../../common/expect-object.js";

/** Means "as many as fit until the region ends"; the same symbol in every copy of the schema language. */
export const rest: unique symbol = Symbol.for("moul-dissect rest");

/**
 * The number of elements in an array, or of bytes in a field: a number; the name of an earlier field that holds it
 * (`"a.b"` for a field of an earlier struct); an object that computes it from such a field, as
 * `(field & mask) * times + plus`; or `rest`.
 */
export type Length =
  | number
  | string
  | typeof rest
  | { readonly field: string; readonly mask?: number; readonly times?: number; readonly plus?: number };

/** What a computed length may have besides the number that it is computed from. */
export const FACTORS = ["mask", "times", "plus"] as const;

/** How a length is computed from a number: `(number & mask) * times + plus`. */
export type Factors = { readonly [factor in (typeof FACTORS)[number]]?: number };

/** A declared length with all that it may leave out. */
export interface LengthRule extends Required<Factors> {
  /** Name of the field that claims the length; empty if none does: the length is `plus`, or the rest of the region. */
  readonly claimedBy: string;
  readonly isRest: boolean;
}

/** Returns the rule for a length; what is declared without one goes to the end of its region. */
export function lengthRule(length: Length | undefined): LengthRule {
  if (length === undefined || length === rest) return { claimedBy: "", isRest: true, mask: -1, times: 1, plus: 0 };
  if (typeof length === "number") return { claimedBy: "", isRest: false, mask: -1, times: 1, plus: length };
  const { field, mask = -1, times = 1, plus = 0 } = typeof length === "string" ? { field: length } : length;
  return { claimedBy: field, isRest: false, mask, times, plus };
}

/** Returns the length that a number claims. */
export function claimedLength({ mask, times, plus }: Required<Factors>, number: number): number {
  return (mask === -1 ? number : number & mask) * times + plus;
}

/** Throws for anything that is not a length. */
export function expectLength(length: Length): void {
  if (typeof length === "number" && !(Number.isSafeInteger(length) && length >= 0)) {
    throw new Error(`a length must be a whole number, 0 or more, not ${length}`);
  }
  const { field = length }: { readonly field?: unknown } = Object(length);
  if (typeof length !== "number" && typeof field !== "string" && field !== rest) {
    const given = JSON.stringify(length);
    throw new Error(`a length must be a number, the name of a field, { field: ... } or rest, not ${given}`);
  }
  if (typeof length !== "object") return;
  expectMembers(length, ["field", ...FACTORS], "a part of a length: field, mask, times, plus");
  expectFactors(length);
}

/** Throws for a factor that is not a number. */
export function expectFactors(factors: Factors): void {
  for (const part of FACTORS) {
    const value = factors[part];
    if (value !== undefined && !Number.isFinite(value)) throw new Error(`the ${part} of a length is ${value}`);
  }
}
