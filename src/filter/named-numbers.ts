import type { Meaning } from "../schema/language/meaning.js";
import type { Value } from "./value.js";

/** Returns less than 0 if `a` is below `b`, more than 0 if above, 0 if they are equal; NaN if not comparable. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

/**
 * What gives names to numbers, to their bits, or to the numbers of bits: each number is then that of one bit of many,
 * which a mask either has or does not have.
 */
export type Naming =
  | Extract<Meaning, { readonly names: ReadonlyMap<number, string> }>
  | { readonly form: "bit numbers"; readonly names: ReadonlyMap<number, string> };

const numbersOf = new WeakMap<Naming, Map<string, number>>();

/** Returns the number for a name, or for names of flags separated by `|`; undefined if one of them is unknown. */
export function numberNamed(naming: Naming, text: string): number | undefined {
  let numbers = numbersOf.get(naming);
  if (numbers === undefined) {
    numbers = new Map([...naming.names].map(([number, name]) => [name, number]));
    numbersOf.set(naming, numbers);
  }
  const number = numbers.get(text);
  if (number !== undefined || naming.form !== "flags" || !text.includes("|")) return number;
  let sum = 0;
  for (const name of new Set(text.split("|"))) sum += numbers.get(name.trim()) ?? Number.NaN;
  return Number.isNaN(sum) ? undefined : sum;
}

/** Returns the bits that a value of an expression stands for: a number, or names of flags or of an enum's values. */
export function maskOf(meaning: Meaning | undefined, mask: Value): number | bigint | undefined {
  const bits = bitsIn(mask);
  if (bits !== undefined) return bits;
  return meaning?.form === "flags" || meaning?.form === "enumeration" ? numberNamed(meaning, mask.text) : undefined;
}

/** Returns the bits of a number under a mask; undefined if either of them has no bits. */
export function masked(
  number: number | bigint,
  meaning: Meaning | undefined,
  mask: Value,
): number | bigint | undefined {
  const bits = maskOf(meaning, mask);
  return bits === undefined ? undefined : and(number, bits);
}

/** True if a mask, a number or names of bits, has the bit with this number. */
export function hasBit({ integer, text }: Value, bit: number, naming: Naming): boolean {
  if (integer !== undefined) return ((integer >> BigInt(bit)) & 1n) === 1n;
  return text.split("|").some((name) => numberNamed(naming, name.trim()) === bit);
}

function bitsIn({ integer, number }: Value): number | bigint | undefined {
  if (integer === undefined) return undefined;
  // Flags usually have 32 bits, for which no bigints are needed.
  return number >= 0 && number <= 0xffffffff ? number : BigInt.asUintN(64, integer);
}

/** True if all wanted bits are set. */
export function hasBits(bits: number | bigint, wanted: number | bigint): boolean {
  const common = and(bits, wanted);
  return common !== undefined && compareNumbers(common, wanted) === 0;
}

/** Returns the bits that are set in both; undefined if `a` is not a whole number. */
function and(a: number | bigint, b: number | bigint): number | bigint | undefined {
  if (typeof a === "number" && !Number.isInteger(a)) return undefined;
  if (typeof a === "number" && a <= 0xffffffff && b <= 0xffffffff) return (a & Number(b)) >>> 0;
  return BigInt(a) & BigInt(b);
}
