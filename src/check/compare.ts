import { type ToldDirection, toldDirections } from "../dissect/message.js";
import { alignTexts, type Pair } from "./alignment.js";
import type { Difference } from "./difference.js";
import { DirectionDifferences } from "./direction-differences.js";
import { FieldComparison } from "./field-comparison.js";
import { likeliest } from "./likeness.js";
import { type Both, type Match, type Matched, matched } from "./matching.js";
import type { Entry } from "./normal-form.js";
import { counting, type Recording } from "./recording.js";
import { Renaming } from "./renaming.js";

/**
 * How often messages are aligned: first by what they say alone, then also by the labels that were found to be the same.
 */
const ROUNDS = 3;

/** Messages of a conversation that go together. */
type Aligned = Readonly<Record<ToldDirection, readonly Pair[]>>;

/** How two recordings compare. */
export interface Comparison {
  readonly differences: readonly Difference[];
  readonly matches: readonly Match[];
  readonly renaming: Renaming;
}

/**
 * Compares two recordings. Messages are aligned for each direction by itself, since what both sides say at the same
 * time may come in either order.
 */
export function compareRecordings(expected: Recording, found: Recording): Comparison {
  const conversations = matched(expected.conversations, found.conversations);
  const renaming = new Renaming();
  const aligned = settled(conversations, renaming);
  const differences: Difference[][] = [];
  const matches: Match[] = [];
  conversations.forEach(({ pair, only, where }, index) => {
    if (pair === undefined) {
      if (only !== undefined && counting(only) > 0) {
        const kind = where.streams.found === undefined ? "missing conversation" : "added conversation";
        differences.push([{ kind, ...where, messages: counting(only) }]);
      }
      return;
    }
    const pairs = inEach((direction) =>
      likeliest(pair.expected.said[direction], pair.found.said[direction], aligned[index]?.[direction] ?? []),
    );
    const match = { ...pair, where, index, pairs };
    matches.push(match);
    const comparison = new FieldComparison(renaming, index);
    for (const direction of toldDirections) {
      differences.push(new DirectionDifferences(match, direction, comparison).all());
    }
  });
  return { differences: differences.flat(), matches, renaming };
}

/** Aligns the messages of all conversations, and settles on the way which labels stand for the same. */
function settled(conversations: readonly Matched[], renaming: Renaming): readonly Aligned[] {
  let aligned: readonly Aligned[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    aligned = conversations.map(({ pair }, index) =>
      inEach((direction) => (pair === undefined ? [] : alignedBy(renaming, index, pair, direction))),
    );
    conversations.forEach(({ pair }, index) => {
      if (pair === undefined) return;
      for (const direction of toldDirections)
        voteOn(renaming, index, pair, direction, aligned[index]?.[direction] ?? []);
    });
    renaming.settle();
    // Where nothing is left over, there is no other way to align them.
    if (round > 1 && aligned.every((pairs, index) => isWhole(conversations[index]?.pair, pairs))) break;
  }
  return aligned;
}

function isWhole(both: Both | undefined, pairs: Aligned): boolean {
  return toldDirections.every((direction) => both !== undefined && isPaired(both, direction, pairs[direction]));
}

/** True if nothing of a direction is left over. */
function isPaired({ expected, found }: Both, direction: ToldDirection, { length }: readonly Pair[]): boolean {
  return expected.said[direction].length === length && found.said[direction].length === length;
}

function inEach<T>(of: (direction: ToldDirection) => T): Record<ToldDirection, T> {
  return { c2s: of("c2s"), s2c: of("s2c"), none: of("none") };
}

/** Aligns the messages of a direction that say the same, as far as it is known which labels stand for the same. */
function alignedBy(
  renaming: Renaming,
  conversation: number,
  { expected, found }: Both,
  direction: ToldDirection,
): Pair[] {
  return alignTexts(
    expected.said[direction].map((entry) => renaming.expectedKey(entry, conversation)),
    found.said[direction].map((entry) => renaming.foundKey(entry, conversation)),
  );
}

function voteOn(
  renaming: Renaming,
  conversation: number,
  both: Both,
  direction: ToldDirection,
  pairs: readonly Pair[],
): void {
  const { expected, found } = both;
  const isSure = isPaired(both, direction, pairs);
  const [allExpected, allFound] = [expected.said[direction], found.said[direction]];
  const timesExpected = timesOf(allExpected, (entry) => renaming.expectedKey(entry, conversation));
  const timesFound = timesOf(allFound, (entry) => renaming.foundKey(entry, conversation));
  for (const [expectedIndex, foundIndex] of pairs) {
    const [one, other] = [allExpected[expectedIndex], allFound[foundIndex]];
    if (one === undefined || other === undefined) continue;
    const isCertain = isSure || (timesExpected(one) === 1 && timesFound(other) === 1);
    renaming.vote(conversation, one, other, isCertain);
  }
}

/** Tells how often there are messages that say the same as one. */
function timesOf(entries: readonly Entry[], keyOf: (entry: Entry) => string): (entry: Entry) => number {
  const times = new Map<string, number>();
  for (const entry of entries) {
    const key = keyOf(entry);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return (entry) => times.get(keyOf(entry)) ?? 0;
}
