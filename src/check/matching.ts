import { type ShownDirection, shownDirections } from "../dissect/message.js";
import { alignTexts, type Pair, sideBySide, withPairsBetween } from "./alignment.js";
import type { Whereabouts } from "./difference.js";
import type { RecordedConversation } from "./recording.js";
import { mostAlike } from "./similarity.js";

/**
 * Most pairs of conversations of a protocol that are compared with each other to find those most alike. If there are
 * more, those that say the same are matched first.
 */
const MOST_COMPARED = 10_000;

/** What a common beginning counts, compared with being alike as a whole: one of the recordings may have broken off. */
const BEGINNING = 0.6;
/** At this number of messages it counts half of that: the first ones are alike in many conversations. */
const FEW = 10;

/** The same conversation in two recordings. */
export interface Both {
  readonly expected: RecordedConversation;
  readonly found: RecordedConversation;
}

/** The same, with the messages that correspond. */
export interface Match extends Both {
  readonly where: Whereabouts;
  /** Its index for the mapping. */
  readonly index: number;
  /** Messages that say the same, labels aside, or that seem to be a changed form of each other; in order. */
  readonly pairs: Readonly<Record<ShownDirection, readonly Pair[]>>;
}

/** A conversation of both recordings, or of one. */
export interface Matched {
  readonly where: Whereabouts;
  readonly pair?: Both;
  /** A conversation that the other recording does not have. */
  readonly only?: RecordedConversation;
}

/** Matches conversations by protocol and order: those that are most alike, if any are missing or new. */
export function matched(
  expected: readonly RecordedConversation[],
  found: readonly RecordedConversation[],
): readonly Matched[] {
  const protocols = new Set([...expected, ...found].map(({ protocol }) => protocol));
  return [...protocols].flatMap((protocol) => {
    const ofProtocol = (all: readonly RecordedConversation[]) => all.filter((one) => one.protocol === protocol);
    return beside(protocol, ofProtocol(expected), ofProtocol(found));
  });
}

function beside(
  protocol: string,
  expected: readonly RecordedConversation[],
  found: readonly RecordedConversation[],
): Matched[] {
  const steps = sideBySide(pairsOf(expected, found), expected.length, found.length);
  return Array.from(steps, ({ a, b, isInA, isInB }) =>
    matchOf(protocol, (isInB ? b : a) + 1, isInA ? expected[a] : undefined, isInB ? found[b] : undefined),
  );
}

function pairsOf(expected: readonly RecordedConversation[], found: readonly RecordedConversation[]): Pair[] {
  const said = new Map([...expected, ...found].map((conversation) => [conversation, formsIn(conversation)]));
  const formsOf = (conversation: RecordedConversation) => said.get(conversation) ?? [];
  const pairs = (some: readonly RecordedConversation[], others: readonly RecordedConversation[]) =>
    some.length * others.length <= MOST_COMPARED
      ? mostAlike(some, others, (one, other) =>
          Math.max(alike(formsOf(one), formsOf(other)), BEGINNING * alikeAtFirst(one, other)),
        )
      : Array.from({ length: Math.min(some.length, others.length) }, (_, index): Pair => [index, index]);
  if (expected.length * found.length <= MOST_COMPARED) return pairs(expected, found);
  const textOf = (conversation: RecordedConversation) => formsOf(conversation).join(" ");
  return withPairsBetween(expected, found, alignTexts(expected.map(textOf), found.map(textOf)), pairs);
}

/** The forms of the messages in a conversation, sorted by id. */
function formsIn({ said }: RecordedConversation): number[] {
  return shownDirections.flatMap((direction) => said[direction].map(({ form }) => form.id)).sort((a, b) => a - b);
}

/**
 * From just above 0 to 1: how many of the messages are in both. Conversations without anything in common are still
 * better paired than missing and new.
 */
function alike(one: readonly number[], other: readonly number[]): number {
  let shared = 0;
  for (let x = 0, y = 0; x < one.length && y < other.length; ) {
    const order = (one[x] ?? 0) - (other[y] ?? 0);
    if (order === 0) shared++;
    if (order <= 0) x++;
    if (order >= 0) y++;
  }
  return (shared + 0.01) / (Math.max(one.length, other.length) + 0.01);
}

/**
 * From 0 to 1: how many of the messages have the same place in both, as far as the shorter one goes, which counts the
 * more the longer that is.
 */
function alikeAtFirst({ said: one }: RecordedConversation, { said: other }: RecordedConversation): number {
  let same = 0;
  let shorter = 0;
  for (const direction of shownDirections) {
    const others = other[direction];
    shorter += Math.min(one[direction].length, others.length);
    same += one[direction].filter(({ form }, index) => form.id === others[index]?.form.id).length;
  }
  return same / (shorter + FEW);
}

function matchOf(
  protocol: string,
  conversation: number,
  expected: RecordedConversation | undefined,
  found: RecordedConversation | undefined,
): Matched {
  const where = { protocol, conversation, streams: { expected: expected?.stream, found: found?.stream } };
  if (expected !== undefined && found !== undefined) return { where, pair: { expected, found } };
  const only = expected ?? found;
  return only === undefined ? { where } : { where, only };
}
