/** Numbers that are tried: all of 16 bits, and those just below 0. */
const LEAST = -256;
const GREATEST = 0xffff;
/** Most names that are a list, and not a rule that gives every number one. */
const MOST = 4096;

const known = new WeakMap<(value: number) => string | undefined, ReadonlyMap<number, string> | undefined>();

/**
 * Returns the numbers for which a function has a text, if these are a list; undefined if it is a rule for all numbers.
 *
 * @param width of the numbers in bytes; larger numbers than those of 16 bits are not tried
 */
export function namedNumbers(
  describe: (value: number) => string | undefined,
  width: number,
): ReadonlyMap<number, string> | undefined {
  if (!known.has(describe)) known.set(describe, tried(describe, width));
  return known.get(describe);
}

function tried(
  describe: (value: number) => string | undefined,
  width: number,
): ReadonlyMap<number, string> | undefined {
  const names = new Map<number, string>();
  for (let value = width === 1 ? -128 : LEAST; value <= (width === 1 ? 0xff : GREATEST); value++) {
    let text: string | undefined;
    try {
      text = describe(value);
    } catch {
      // A function for unsigned numbers need not know what to do with others.
      continue;
    }
    if (text === undefined) continue;
    names.set(value, text);
    if (names.size > MOST || (width === 1 && names.size > 0xff)) return undefined;
  }
  return names;
}
