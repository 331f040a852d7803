import type { Pair } from "./alignment.js";
import type { Whereabouts } from "./difference.js";
import { mostAlike } from "./likeness.js";
import { directions } from "./line.js";
import type { RecordedConversation } from "./recording.js";

/** Pairs of conversations of a protocol that are compared with each other, to find those that are most alike. */
const MOST_COMPARED = 10_000;

/** The same conversation in two recordings. */
export interface Both {
  readonly expected: RecordedConversation;
  readonly found: RecordedConversation;
}

/** A conversation of both recordings, or of one. */
export interface Matched {
  readonly where: Whereabouts;
  readonly pair?: Both;
  /** A conversation that the other recording does not have. */
  readonly only?: RecordedConversation;
}

/**
 * Matches conversations by their protocols and their order. Where one recording has more of a protocol, those go together
 * that say the same.
 */
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
  theirs: readonly RecordedConversation[],
  ours: readonly RecordedConversation[],
): Matched[] {
  const all: Matched[] = [];
  let [one, other] = [0, 0];
  const missing = () => all.push(matchOf(protocol, one + 1, theirs[one++], undefined));
  const added = () => all.push(matchOf(protocol, other + 1, undefined, ours[other++]));
  for (const [nextOne, nextOther] of pairsOf(theirs, ours)) {
    while (one < nextOne) missing();
    while (other < nextOther) added();
    all.push(matchOf(protocol, other + 1, theirs[one++], ours[other++]));
  }
  while (one < theirs.length) missing();
  while (other < ours.length) added();
  return all;
}

function pairsOf(theirs: readonly RecordedConversation[], ours: readonly RecordedConversation[]): Pair[] {
  if (theirs.length === ours.length || theirs.length * ours.length > MOST_COMPARED) {
    return Array.from({ length: Math.min(theirs.length, ours.length) }, (_, index): Pair => [index, index]);
  }
  const said = new Map([...theirs, ...ours].map((conversation) => [conversation, saidIn(conversation)]));
  return mostAlike(theirs, ours, (one, other) => alike(said.get(one) ?? [], said.get(other) ?? []));
}

/** The forms of the messages in a conversation, in an order that is the same for the same ones. */
function saidIn({ said }: RecordedConversation): number[] {
  return directions.flatMap((direction) => said[direction].map(({ form }) => form.id)).sort((a, b) => a - b);
}

/** Between 0 and 1, but never 0: even those that have nothing in common are rather the same than missing and new. */
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
