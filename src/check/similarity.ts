import { alignTexts, type Pair, withPairsBetween } from "./alignment.js";
import type { Entry, Form } from "./normal-form.js";

/** Most pairs of messages between two matched ones that are compared to find those most alike. */
const MOST_COMPARED = 400;

/**
 * Adds to the pairs of messages that say the same those that seem to be changed forms of each other: messages with the
 * same name and outer classes, between the same neighbours.
 */
export function likeliest(expected: readonly Entry[], found: readonly Entry[], same: readonly Pair[]): Pair[] {
  return withPairsBetween(expected, found, same, inGap);
}

function inGap(expected: readonly Entry[], found: readonly Entry[]): Pair[] {
  if (expected.length === 0 || found.length === 0) return [];
  if (expected.length * found.length <= MOST_COMPARED) return mostAlike(expected, found, similarity);
  const kindOf = ({ form }: Entry) => form.shape.kind;
  return alignTexts(expected.map(kindOf), found.map(kindOf));
}

/**
 * The pairs of two sequences, in order, with the greatest total similarity.
 *
 * @param similarity of two elements; 0 if they must not be paired
 */
export function mostAlike<T>(
  expected: readonly T[],
  found: readonly T[],
  similarity: (one: T, other: T) => number,
): Pair[] {
  const alike = expected.map((one) => found.map((other) => similarity(one, other)));
  // The greatest total similarity from a place on.
  const best = Array.from({ length: expected.length + 1 }, () => new Float64Array(found.length + 1));
  const at = (x: number, y: number) => best[x]?.[y] ?? 0;
  const paired = (x: number, y: number) => {
    const value = alike[x]?.[y] ?? 0;
    return value === 0 ? 0 : value + at(x + 1, y + 1);
  };
  for (let x = expected.length - 1; x >= 0; x--) {
    for (let y = found.length - 1; y >= 0; y--) {
      const row = best[x];
      if (row !== undefined) row[y] = Math.max(at(x + 1, y), at(x, y + 1), paired(x, y));
    }
  }
  const pairs: Pair[] = [];
  for (let x = 0, y = 0; x < expected.length && y < found.length; ) {
    if (paired(x, y) > 0 && paired(x, y) === at(x, y)) pairs.push([x++, y++]);
    else if (at(x + 1, y) === at(x, y)) x++;
    else y++;
  }
  return pairs;
}

/** 0 for messages of different kinds; otherwise from 1 to 2, growing with what they have in common. */
function similarity({ form: a }: Entry, { form: b }: Entry): number {
  if (a.shape.kind !== b.shape.kind) return 0;
  const [words, others] = [wordsOf(a), new Set(wordsOf(b))];
  const shared = words.filter((word) => others.has(word)).length;
  return 1 + shared / Math.max(words.length, others.size, 1);
}

/** The members of a message, with their values. */
function wordsOf({ text }: Form): string[] {
  return text.split(/[{},[\]]/);
}
