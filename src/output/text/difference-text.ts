import type { Difference, FieldDifference, Reference, Whereabouts } from "../../check/index.js";
import { counted } from "../../common/counted.js";
import { type Json, jsonText } from "../../common/json.js";
import { printable } from "../writers/sanitise.js";
import type { Palette } from "./palette.js";

/** Most characters shown of a value: the rest of a long text or byte string is not worth reading. */
const LONGEST_VALUE = 160;
/** Characters of a long value that are shown before the place where it differs. */
const BEFORE_CHANGE = 40;
/** Most classes shown of a message: the inner ones say less and less. */
const MOST_CLASSES = 3;
/** Most fields shown of a message. */
const MOST_FIELDS = 20;

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

function ownLines(difference: Difference, { colors, expected }: DifferenceStyle): string[] {
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
      const more = fields.length - MOST_FIELDS;
      return [
        changed(`~ #${found} ${nameOf(difference)} (${expected(difference.expected)})`),
        ...fields.slice(0, MOST_FIELDS).flatMap((field) => fieldLines(field, colors)),
        ...(more > 0 ? [`      and ${counted(more, "more field")}; --json lists them`] : []),
      ];
    }
  }
}

/** Names a conversation: "moul.auth conversation 1 (stream 3)". */
export function placeText({ protocol, conversation, streams }: Whereabouts): string {
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

function fieldLines({ path, expected, found, elsewhere }: FieldDifference, colors: Palette): string[] {
  const { added, removed } = colors.change;
  const [one, other] = shortened(...valueTexts(expected, found));
  const isMapped = elsewhere !== undefined && JSON.stringify(elsewhere) !== JSON.stringify(expected);
  const mapped = isMapped ? ` (elsewhere: ${valueText(elsewhere)})` : "";
  return [
    `      ${colors.name(printable(path))}`,
    ...(one === undefined ? [] : [removed(`        - ${one}${mapped}`)]),
    ...(other === undefined ? [] : [added(`        + ${other}`)]),
  ];
}

/** Two values, texts in quotes if they would look the same otherwise, or as if there were nothing. */
function valueTexts(one: Json | undefined, other: Json | undefined): [string | undefined, string | undefined] {
  const [text, otherText] = [valueText(one), valueText(other)];
  const isMistakable = text === otherText || [text, otherText].some((shown) => shown?.trim() !== shown || shown === "");
  return isMistakable ? [quotedText(one), quotedText(other)] : [text, otherText];
}

function quotedText(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : printable(jsonText(value));
}

function valueText(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  return printable(typeof value === "string" ? value : jsonText(value));
}

/** Two values, or for long ones the part in which they differ. */
function shortened(one: string | undefined, other: string | undefined): [string | undefined, string | undefined] {
  const longest = Math.max(one?.length ?? 0, other?.length ?? 0);
  if (longest <= LONGEST_VALUE) return [one, other];
  let same = 0;
  while (one !== undefined && other !== undefined && same < one.length && one[same] === other[same]) same++;
  const from = Math.max(0, Math.min(same - BEFORE_CHANGE, longest - LONGEST_VALUE));
  const part = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const end = from + LONGEST_VALUE;
    return `${from > 0 ? "…" : ""}${text.slice(from, end)}${text.length > end ? "…" : ""}`;
  };
  return [part(one), part(other)];
}
