import "./built-in-begin.js";
import { bzflag } from "../../dissectors/bzflag/index.js";
import { moul } from "../../dissectors/moul/index.js";
import "./built-in-end.js";
import type { Dissector } from "../dissector/dissector.js";
import { problemOf } from "../dissector/dissector-check.js";

/** The built-in dissectors. */
export const dissectors: readonly Dissector[] = [moul, bzflag];

/**
 * The given dissectors and the built-in ones, in the order in which they are asked.
 *
 * @throws TypeError if one is not a dissector, or its name is taken
 */
export function dissectorsWith(others: readonly Dissector[]): readonly Dissector[] {
  // The same list each time, for which others need to find out only once what it declares.
  if (others.length === 0) return dissectors;
  const names = new Set(dissectors.map(({ name }) => name));
  for (const other of others) {
    const problem = problemOf(other, names);
    if (problem !== undefined) throw new TypeError(`a dissector cannot be used: ${problem}`);
    names.add(other.name);
  }
  return [...others, ...dissectors];
}
