import { type ShownDirection, shownDirections } from "../dissect/message.js";
import { alignTexts, type Pair } from "./alignment.js";
import type { MessagesDifference } from "./difference.js";
import { DirectionDifferences } from "./direction-differences.js";
import { FieldComparison } from "./field-comparison.js";
import { IdentifierMapping } from "./identifier-mapping.js";
import { type Both, type Match, type Matched, matched } from "./matching.js";
import type { Entry } from "./normal-form.js";
import { counting, type Recording } from "./recording.js";
import { likeliest } from "./similarity.js";

/**
 * How many times messages are aligned at most: first by content alone, then also by the labels found to correspond.
 */
const ROUNDS = 3;

/** Which messages of a conversation correspond. */
type Aligned = Readonly<Record<ShownDirection, readonly Pair[]>>;

/** How two recordings compare. */
export interface Comparison {
  readonly differences: readonly MessagesDifference[];
  readonly matches: readonly Match[];
  readonly mapping: IdentifierMapping;
}

/**
 * Compares two recordings. Messages are aligned separately for each direction, since messages that both sides send at
 * the same time may come in either order.
 */
export function compareRecordings(expected: Recording, found: Recording): Comparison {
  const conversations = matched(expected.conversations, found.conversations);
  const mapping = new IdentifierMapping();
  const aligned = settled(conversations, mapping);
  const differences: MessagesDifference[][] = [];
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
    const comparison = new FieldComparison(mapping, index);
    for (const direction of shownDirections) {
      differences.push(new DirectionDifferences(match, direction, comparison).all());
    }
  });
  return { differences: differences.flat(), matches, mapping };
}

/** Aligns the messages of all conversations, and settles along the way which labels stand for the same thing. */
function settled(conversations: readonly Matched[], mapping: IdentifierMapping): readonly Aligned[] {
  let aligned: readonly Aligned[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    aligned = conversations.map(({ pair }, index) =>
      inEach((direction) => (pair === undefined ? [] : alignedBy(mapping, index, pair, direction))),
    );
    conversations.forEach(({ pair }, index) => {
      if (pair === undefined) return;
      for (const direction of shownDirections)
        voteOn(mapping, index, pair, direction, aligned[index]?.[direction] ?? []);
    });
    mapping.settle();
    // If no message is left over, there is no other way to align them.
    if (round > 1 && aligned.every((pairs, index) => isWhole(conversations[index]?.pair, pairs))) break;
  }
  return aligned;
}

function isWhole(both: Both | undefined, pairs: Aligned): boolean {
  return shownDirections.every((direction) => both !== undefined && isPaired(both, direction, pairs[direction]));
}

/** True if no message of a direction is left over. */
function isPaired({ expected, found }: Both, direction: ShownDirection, { length }: readonly Pair[]): boolean {
  return expected.said[direction].length === length && found.said[direction].length === length;
}

function inEach<T>(of: (direction: ShownDirection) => T): Record<ShownDirection, T> {
  return { c2s: of("c2s"), s2c: of("s2c"), none: of("none") };
}

/** Aligns the messages of a direction that say the same, given what is known of corresponding labels. */
function alignedBy(
  mapping: IdentifierMapping,
  conversation: number,
  { expected, found }: Both,
  direction: ShownDirection,
): Pair[] {
  return alignTexts(
    expected.said[direction].map((entry) => mapping.expectedKey(entry, conversation)),
    found.said[direction].map((entry) => mapping.foundKey(entry, conversation)),
  );
}

function voteOn(
  mapping: IdentifierMapping,
  conversation: number,
  both: Both,
  direction: ShownDirection,
  pairs: readonly Pair[],
): void {
  const { expected, found } = both;
  const isSure = isPaired(both, direction, pairs);
  const [allExpected, allFound] = [expected.said[direction], found.said[direction]];
  const timesExpected = timesOf(allExpected, (entry) => mapping.expectedKey(entry, conversation));
  const timesFound = timesOf(allFound, (entry) => mapping.foundKey(entry, conversation));
  for (const [expectedIndex, foundIndex] of pairs) {
    const [one, other] = [allExpected[expectedIndex], allFound[foundIndex]];
    if (one === undefined || other === undefined) continue;
    const isCertain = isSure || (timesExpected(one) === 1 && timesFound(other) === 1);
    mapping.vote(conversation, one, other, isCertain);
  }
}

/** Returns a function that counts the messages with the same content as a given one. */
function timesOf(entries: readonly Entry[], keyOf: (entry: Entry) => string): (entry: Entry) => number {
  const times = new Map<string, number>();
  for (const entry of entries) {
    const key = keyOf(entry);
    times.set(key, (times.get(key) ?? 0) + 1);
  }
  return (entry) => times.get(keyOf(entry)) ?? 0;
}
