import type { FieldDifference } from "../../check/index.js";
import { counted } from "../../common/counted.js";
import { type Json, jsonText } from "../../common/json.js";
import { printable } from "../writers/sanitise.js";
import type { Palette } from "./palette.js";

/** Most characters shown of a value: the rest of a long text or byte string is not worth reading. */
const LONGEST_VALUE = 160;
/** Characters of a long value that are shown before the place where it differs. */
const BEFORE_CHANGE = 40;
/** Most fields shown of a message or a node. */
const MOST_FIELDS = 20;

/** What is not as expected in the fields of a message or a node. */
export function fieldsLines(fields: readonly FieldDifference[], colors: Palette): string[] {
  const more = fields.length - MOST_FIELDS;
  return [
    ...fields.slice(0, MOST_FIELDS).flatMap((field) => fieldLines(field, colors)),
    ...(more > 0 ? [`      and ${counted(more, "more field")}; --json lists them`] : []),
  ];
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
    const [begin, end] = [wholeFrom(text, from), wholeFrom(text, from + LONGEST_VALUE)];
    return `${begin > 0 ? "…" : ""}${text.slice(begin, end)}${text.length > end ? "…" : ""}`;
  };
  return [part(one), part(other)];
}

/** A place in a text, or the one before if it would split a surrogate pair. */
function wholeFrom(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}
