import { OTHERS } from "./bounded-map.js";

/** Separates the parts of a key. Only the last part may contain it: names of protocols and messages do not. */
const SEPARATOR = "\n";

/** Makes one key of several names. */
export function keyOf(...parts: readonly string[]): string {
  return parts.join(SEPARATOR);
}

/** The names that a key was made of; all of them are `OTHERS` in the key of those that got none of their own. */
export function partsOf(key: string, count: number): string[] {
  if (key === OTHERS) return Array<string>(count).fill(OTHERS);
  const parts = key.split(SEPARATOR);
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(SEPARATOR)];
}
