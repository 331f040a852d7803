import {
  type Difference,
  isOfNode,
  type MessagesDifference,
  type Reference,
  type Whereabouts,
} from "../../check/index.js";
import { counted } from "../../common/counted.js";
import { printable } from "../writers/sanitise.js";
import { fieldsLines } from "./field-difference-text.js";
import { nodeDifferenceLines } from "./node-difference-text.js";
import type { Palette } from "./palette.js";

/** Most classes shown of a message: the inner ones say less and less. */
const MOST_CLASSES = 3;

const SENDERS = { c2s: "client to server", s2c: "server to client", none: "without a direction" };

/** How differences are shown. */
export interface DifferenceStyle {
  readonly colors: Palette;
  /** Names an expected message, by its number or by the line of a file. */
  readonly expected: (at: number) => string;
}

/**
 * Differences as people read them: the place, then the messages between their neighbours, each with what is not as
 * expected in it. Differences with nothing as expected between them are shown as one group.
 *
 * @returns a text for each difference; the last one of a group ends with an empty line
 */
export function* differenceTexts(differences: readonly Difference[], style: DifferenceStyle): Generator<string> {
  for (const [index, difference] of differences.entries()) {
    const isFirst = !continues(difference, differences[index - 1]);
    const next = differences[index + 1];
    const isLast = next === undefined || !continues(next, difference);
    const lines = [
      ...(isFirst ? linesBefore(difference, style) : []),
      ...ownLines(difference, style),
      ...(isLast && "direction" in difference ? neighbour(difference.after, style) : []),
    ];
    yield `${lines.join("\n")}\n${isLast ? "\n" : ""}`;
  }
}

/** True if there is nothing as expected between two differences. */
function continues(difference: Difference, previous: Difference | undefined): boolean {
  if (previous !== undefined && isOfNode(difference)) return isOfNode(previous);
  if (previous === undefined || !("direction" in difference) || !("direction" in previous)) return false;
  const end = "found" in previous ? previous.found : previous.before?.at;
  return (
    placeText(difference) === placeText(previous) &&
    difference.direction === previous.direction &&
    difference.before?.at === end
  );
}

/** The place of a difference, and the message before it. */
function linesBefore(difference: Difference, style: DifferenceStyle): string[] {
  const place = placeText(difference);
  const { heading } = style.colors;
  if (!("direction" in difference)) return [heading(place)];
  return [heading(`${place}, ${SENDERS[difference.direction]}`), ...neighbour(difference.before, style)];
}

function ownLines(difference: Difference, style: DifferenceStyle): string[] {
  return isOfNode(difference) ? nodeDifferenceLines(difference, style) : messageLines(difference, style);
}

function messageLines(difference: MessagesDifference, { colors, expected }: DifferenceStyle): string[] {
  const { added, removed, changed } = colors.change;
  switch (difference.kind) {
    case "missing conversation":
      return [removed(`- the whole conversation is missing: ${counted(difference.messages, "message")}`)];
    case "added conversation":
      return [added(`+ the whole conversation was not expected: ${counted(difference.messages, "message")}`)];
    case "missing":
      return [removed(`- ${nameOf(difference)} is missing (${expected(difference.expected)})`)];
    case "added":
      return [added(`+ #${difference.found} ${nameOf(difference)} was not expected`)];
    case "moved": {
      const where = `was expected elsewhere (${expected(difference.expected)})`;
      return [changed(`~ #${difference.found} ${nameOf(difference)} ${where}`)];
    }
    case "changed": {
      const { found, fields } = difference;
      return [
        changed(`~ #${found} ${nameOf(difference)} (${expected(difference.expected)})`),
        ...fieldsLines(fields, colors),
      ];
    }
  }
}

/** Names the place of differences in what the vault has become. */
export const VAULT_PLACE = "vault";

/** Names a conversation ("moul.auth conversation 1 (stream 3)"), or the vault. */
export function placeText(place: Whereabouts | Difference): string {
  if (!("streams" in place)) return VAULT_PLACE;
  const { protocol, conversation, streams } = place;
  const stream = streams.found === undefined ? "" : ` (stream ${streams.found})`;
  return `${printable(protocol)} conversation ${conversation}${stream}`;
}

/** Names a message with the classes it carries: "Game2Cli_PropagateBuffer plNetMsgGameMessage > plNotifyMsg". */
function nameOf({ message, classes }: Pick<Reference, "message" | "classes">): string {
  const named = classes.slice(0, MOST_CLASSES).join(" > ");
  return printable(named === "" ? message : `${message} ${named}`);
}

function neighbour(reference: Reference | undefined, { colors }: DifferenceStyle): string[] {
  return reference === undefined ? [] : [colors.faint(`  #${reference.at} ${nameOf(reference)}`)];
}
