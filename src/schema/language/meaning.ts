import { expectObject } from "../../common/expect-object.js";

/** Names of numbers: `{ kName: 1, ... }`. */
export type Names = Readonly<Record<string, number>>;

/**
 * What the numbers of a field mean.
 *
 * - `enumeration`: a number has one name, which is also its value in JSON;
 * - `flags`: each bit has a name; JSON shows the names of the bits that are set;
 * - `text`: the number is a packed form of something that reads as text (an address, a time), which is its JSON value;
 * - `reference`: the number stands for something that has a name elsewhere in the traffic ("player"), or for one of
 *   several such things;
 * - `remark`: the number stays a number in JSON; the text only explains it to people.
 */
export type Meaning =
  | { readonly form: "enumeration"; readonly names: ReadonlyMap<number, string> }
  | { readonly form: "flags"; readonly names: ReadonlyMap<number, string> }
  | { readonly form: "text"; readonly describe: (value: number) => string }
  | { readonly form: "reference"; readonly to: readonly string[] }
  | { readonly form: "remark"; readonly describe: (value: number) => string | undefined };

/**
 * Returns the names by their numbers. If a number has several names, the first is used.
 *
 * @throws Error if a name stands for anything but a whole number
 */
export function byNumber(names: Names): ReadonlyMap<number, string> {
  expectObject(names, "names", "{ Name: 1 }");
  const map = new Map<number, string>();
  for (const [name, value] of Object.entries(names)) {
    if (!Number.isInteger(value)) throw new Error(`${name} names ${value}, which is not a whole number`);
    if (!map.has(value)) map.set(value, name);
  }
  return map;
}

/** Returns the names of the set bits of a flag set; unnamed bits are combined in one hexadecimal number. */
export function flagNames(names: ReadonlyMap<number, string>, value: number | bigint): string[] {
  // A number read by a codec need not be whole.
  if (typeof value === "number" && !Number.isInteger(value)) return [];
  if (typeof value === "number" && value >= 0 && value < 2 ** 32) return namesOf32Bits(names, value);
  const found: string[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (let bit = 0; rest >> BigInt(bit) !== 0n && bit < 64; bit++) {
    const mask = 1n << BigInt(bit);
    if ((rest & mask) === 0n) continue;
    const name = names.get(2 ** bit);
    if (name === undefined) continue;
    found.push(name);
    rest &= ~mask;
  }
  if (rest !== 0n) found.push(`0x${rest.toString(16)}`);
  return found;
}

/** Does the same without big integers, which take several times as long. */
function namesOf32Bits(names: ReadonlyMap<number, string>, value: number): string[] {
  const found: string[] = [];
  let rest = value >>> 0;
  for (let bit = 0; bit < 32 && rest >>> bit !== 0; bit++) {
    const mask = (1 << bit) >>> 0;
    if ((rest & mask) === 0) continue;
    const name = names.get(mask);
    if (name === undefined) continue;
    found.push(name);
    rest = (rest & ~mask) >>> 0;
  }
  if (rest !== 0) found.push(`0x${rest.toString(16)}`);
  return found;
}
