import type { Meaning } from "../schema/meaning.js";
import type { Value } from "./value.js";

/** Below 0 if `a` is less than `b`, above 0 if it is more, 0 if they are equal; NaN if they do not compare. */
export function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : 0;
}

/** What gives names to numbers, or to their bits. */
export type Naming = Extract<Meaning, { readonly names: ReadonlyMap<number, string> }>;

const numbersOf = new WeakMap<Naming, Map<string, number>>();

/** The number that a name stands for, or names of flags with `|` between them; undefined if one of them is unknown. */
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

/** The bits that an expression means: a number, or the names of flags or of an enum's values. */
export function maskOf(meaning: Meaning | undefined, mask: Value): number | bigint | undefined {
  const bits = bitsIn(mask);
  if (bits !== undefined) return bits;
  return meaning?.form === "flags" || meaning?.form === "enumeration" ? numberNamed(meaning, mask.text) : undefined;
}

/** The bits of a number that a mask leaves; undefined if one of them has no bits. */
export function masked(
  number: number | bigint,
  meaning: Meaning | undefined,
  mask: Value,
): number | bigint | undefined {
  const bits = maskOf(meaning, mask);
  return bits === undefined ? undefined : and(number, bits);
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
