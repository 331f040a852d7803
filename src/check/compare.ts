import { align, type Pair } from "./alignment.js";
import type { Difference, Whereabouts } from "./difference.js";
import { DirectionDifferences } from "./direction-differences.js";
import { FieldComparison } from "./field-comparison.js";
import { likeliest } from "./likeness.js";
import { type Direction, directions } from "./line.js";
import type { Entry } from "./normal-form.js";
import { counting, type RecordedConversation, type Recording } from "./recording.js";
import { Renaming } from "./renaming.js";

/** How often messages are aligned: first by what they say alone, then also by the labels that were found to be the same. */
const ROUNDS = 3;

/** The same conversation in both recordings. */
export interface Match {
  readonly expected: RecordedConversation;
  readonly found: RecordedConversation;
  readonly where: Whereabouts;
  /** Which conversation it is for the renaming. */
  readonly index: number;
  /** Messages that say the same, labels aside, or that seem to be a changed form of each other; in order. */
  readonly pairs: Readonly<Record<Direction, readonly Pair[]>>;
}

/** How two recordings compare. */
export interface Comparison {
  readonly differences: readonly Difference[];
  readonly matches: readonly Match[];
  readonly renaming: Renaming;
}

/**
 * Compares two recordings. Conversations are matched by their protocols and their order; messages are aligned for each
 * direction by itself, since what both sides say at the same time may come in either order.
 */
export function compareRecordings(expected: Recording, found: Recording): Comparison {
  const conversations = matched(expected.conversations, found.conversations);
  const renaming = new Renaming();
  let aligned: Readonly<Record<Direction, Pair[]>>[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    aligned = conversations.map(({ pair }, index) =>
      inEach((direction) => (pair === undefined ? [] : alignedBy(renaming, index, pair, direction))),
    );
    conversations.forEach(({ pair }, index) => {
      if (pair !== undefined) for (const direction of directions) voteOn(renaming, index, pair, direction, aligned);
    });
    renaming.settle();
  }
  const differences: Difference[] = [];
  const matches: Match[] = [];
  conversations.forEach(({ pair, only, where }, index) => {
    if (pair === undefined) {
      if (only !== undefined && counting(only) > 0) {
        const kind = where.streams.found === undefined ? "missing conversation" : "added conversation";
        differences.push({ kind, ...where, messages: counting(only) });
      }
      return;
    }
    const pairs = inEach((direction) =>
      likeliest(pair.expected.said[direction], pair.found.said[direction], aligned[index]?.[direction] ?? []),
    );
    const match = { ...pair, where, index, pairs };
    matches.push(match);
    const comparison = new FieldComparison(renaming, index);
    for (const direction of directions) {
      differences.push(...new DirectionDifferences(match, direction, comparison, renaming, index).all());
    }
  });
  return { differences, matches, renaming };
}

interface Both {
  readonly expected: RecordedConversation;
  readonly found: RecordedConversation;
}

interface Matched {
  readonly where: Whereabouts;
  readonly pair?: Both;
  /** A conversation that the other recording does not have. */
  readonly only?: RecordedConversation;
}

function matched(expected: readonly RecordedConversation[], found: readonly RecordedConversation[]): Matched[] {
  const protocols = new Set([...expected, ...found].map(({ protocol }) => protocol));
  return [...protocols].flatMap((protocol) => {
    const ofProtocol = (all: readonly RecordedConversation[]) => all.filter((one) => one.protocol === protocol);
    const [theirs, ours] = [ofProtocol(expected), ofProtocol(found)];
    return Array.from({ length: Math.max(theirs.length, ours.length) }, (_, index): Matched => {
      const [one, other] = [theirs[index], ours[index]];
      const streams = { expected: one?.stream, found: other?.stream };
      const where = { protocol, conversation: index + 1, streams };
      if (one !== undefined && other !== undefined) return { where, pair: { expected: one, found: other } };
      const only = one ?? other;
      return only === undefined ? { where } : { where, only };
    });
  });
}

function inEach<T>(of: (direction: Direction) => T): Record<Direction, T> {
  return { c2s: of("c2s"), s2c: of("s2c") };
}

/** Aligns the messages of a direction that say the same, as far as it is known which labels stand for the same. */
function alignedBy(renaming: Renaming, conversation: number, { expected, found }: Both, direction: Direction): Pair[] {
  const numbers = new Map<string, number>();
  const token = (key: string) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  return align(
    expected.said[direction].map((entry) => token(renaming.expectedKey(entry, conversation))),
    found.said[direction].map((entry) => token(renaming.foundKey(entry, conversation))),
  );
}

function voteOn(
  renaming: Renaming,
  conversation: number,
  { expected, found }: Both,
  direction: Direction,
  aligned: readonly Readonly<Record<Direction, readonly Pair[]>>[],
): void {
  const [theirs, ours] = [expected.said[direction], found.said[direction]];
  const [oftenThere, oftenHere] = [timesOf(theirs), timesOf(ours)];
  for (const [one, other] of aligned[conversation]?.[direction] ?? []) {
    const [entry, same] = [theirs[one], ours[other]];
    if (entry === undefined || same === undefined) continue;
    const isCertain = oftenThere.get(entry.form.id) === 1 && oftenHere.get(same.form.id) === 1;
    renaming.vote(conversation, entry, same, isCertain);
  }
}

/** How often each form occurs. */
function timesOf(entries: readonly Entry[]): ReadonlyMap<number, number> {
  const times = new Map<number, number>();
  for (const { form } of entries) times.set(form.id, (times.get(form.id) ?? 0) + 1);
  return times;
}
