import { type ShownDirection, shownDirections } from "../dissect/message.js";
import type { Comparison } from "./compare.js";
import { positionsOf } from "./direction-differences.js";
import type { Match } from "./matching.js";
import type { Entry, Space } from "./normal-form.js";
import type { RecordedConversation, Recording } from "./recording.js";

/** A found message to be written to the expectation. */
interface NewLine {
  /** Its number in the recording that was found. */
  readonly found: number;
  /** Number of its conversation in the expectation. */
  readonly stream: number;
  /** The label of the expectation that stands for the same thing. */
  readonly mapped: (label: string, space: Space) => string;
}

/**
 * How to turn an expectation into one for what was found: lines that mean the same stay as and where they are, so that
 * version control shows nothing but the changes.
 */
interface Update {
  /** Old lines that stay. */
  readonly kept: ReadonlySet<number>;
  /** New lines by the old line that they replace or follow; 0: before all old lines. */
  readonly added: ReadonlyMap<number, readonly NewLine[]>;
}

/** Works out how to update an expectation: differences that nobody wants to see change nothing. */
export function updateOf(comparison: Comparison, expected: Recording, found: Recording): Update {
  const { matches, mapping } = comparison;
  const apart = messagesApart(comparison);
  const kept = new Set<number>();
  const added = new Map<number, NewLine[]>();
  const add = (after: number, line: NewLine) => {
    const lines = added.get(after);
    if (lines === undefined) added.set(after, [line]);
    else lines.push(line);
  };
  const mapped = (conversation: number) => (label: string, space: Space) =>
    mapping.expectedLabel(space, conversation, label) ?? label;
  for (const match of matches) {
    const stream = match.expected.stream;
    for (const direction of shownDirections) {
      let after = firstLine(match, direction) - 1;
      for (const { expected: entry, found: same } of positionsOf(match, direction)) {
        after = entry?.at ?? after;
        if (entry !== undefined && !apart.expected.has(entry.at)) kept.add(entry.at);
        if (same !== undefined && apart.found.has(same.at)) {
          add(after, { found: same.at, stream, mapped: mapped(match.index) });
        }
      }
    }
  }
  const matched = new Set(matches.map((match) => match.expected));
  for (const { at, counts } of expected.conversations.filter((one) => !matched.has(one)).flatMap(entriesOf)) {
    if (!counts) kept.add(at);
  }
  const matchOf = new Map(matches.map((match) => [match.found, match]));
  let stream = expected.conversations.reduce((most, one) => Math.max(most, one.stream + 1), 0);
  // Conversations are identified by the order in which they begin.
  let after = 0;
  for (const conversation of found.conversations) {
    const match = matchOf.get(conversation);
    if (match !== undefined) {
      after = Math.min(...shownDirections.map((direction) => firstLine(match, direction)));
      continue;
    }
    for (const { at, counts } of entriesOf(conversation)) {
      if (counts) add(after, { found: at, stream, mapped: mapped(-1) });
    }
    stream++;
  }
  return { kept, added };
}

/** The messages that differ, of conversations that both recordings have. */
function messagesApart({ differences }: Comparison): Readonly<Record<"expected" | "found", ReadonlySet<number>>> {
  const [expected, found] = [new Set<number>(), new Set<number>()];
  for (const difference of differences) {
    if ("expected" in difference) expected.add(difference.expected);
    if ("found" in difference) found.add(difference.found);
  }
  return { expected, found };
}

function entriesOf({ said }: RecordedConversation): Entry[] {
  return shownDirections.flatMap((direction) => said[direction]);
}

/** The first line of a direction, or of the conversation if no message was expected in that direction. */
function firstLine({ expected: { said } }: Match, direction: ShownDirection): number {
  return (
    (said[direction][0] ?? shownDirections.map((other) => said[other][0]).find((entry) => entry !== undefined))?.at ?? 1
  );
}
