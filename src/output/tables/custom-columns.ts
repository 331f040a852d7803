import type { Message } from "../../dissect/message.js";
import { SUMMARY, type Vocabulary } from "../../filter/index.js";
import type { Palette } from "../text/palette.js";
import type { ShownColumn } from "../text/shown-column.js";
import { contentsColumn, infoColumn, type SummaryStyle, timeColumn } from "../text/terminal-summary.js";
import { CellWriter } from "../writers/cell-writer.js";
import { columnOf } from "./field-columns.js";

/** What Wireshark calls a message in one line. */
const INFO = "info";

type Shape = Pick<ShownColumn, "least" | "keepsEnd" | "isNumber">;

/** The widths of columns whose values are known to be of some length. */
const SHAPES: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["number", { least: 6, isNumber: true }],
  ["stream", { least: 3, isNumber: true }],
  ["source", { least: 21, keepsEnd: true }],
  ["destination", { least: 21, keepsEnd: true }],
  ["direction", { least: 4 }],
  ["protocol", { least: 15 }],
  ["message", { least: 38 }],
  ["status", { least: 9 }],
]);
const USUAL: Shape = { least: 16 };
/** Where milliseconds end in ISO 8601. */
const MILLISECONDS = 23;
/** Most columns of a terminal for one value, unless it is the last one of the line. */
const MOST = 40;
/** Part of a line that columns other than the last one may take together. */
const PART = 0.6;
/** Width below which no column is narrowed: fewer characters would say nothing. */
const NARROWEST = 6;

const shared = new CellWriter("none");

/**
 * The columns that the user has named, as fields for columns and filters are; `info` is what Wireshark calls so, without
 * the name of the message if that has a column of its own.
 *
 * @param width of the terminal in columns; unlimited for a pipe, where nothing is cut
 * @throws FilterError if there is no such field
 */
export function customColumns(
  names: readonly string[],
  vocabulary: Vocabulary,
  width: number,
  style: SummaryStyle,
): readonly ShownColumn[] {
  const isFull = width === Number.POSITIVE_INFINITY;
  const info = names.includes("message") ? contentsColumn(style, isFull) : infoColumn(style, isFull);
  const columns = names.map((name) => {
    if (name === "time") return timeColumn(style, MILLISECONDS);
    if (name === INFO) return info;
    return name === SUMMARY ? contentsColumn(style, true) : valueColumn(name, vocabulary, style.colors);
  });
  return isFull ? columns : narrowed(columns, width);
}

function valueColumn(name: string, vocabulary: Vocabulary, colors: Palette): ShownColumn {
  const write = columnOf(name, vocabulary);
  const text = (message: Message) => {
    shared.clear();
    shared.beginCell();
    write(message, shared);
    shared.endCell();
    return shared.toString();
  };
  const column = { ...(SHAPES.get(name) ?? USUAL), most: Number.POSITIVE_INFINITY, text };
  if (name === "protocol") return { ...column, paint: ({ protocol }) => colors.protocol(protocol) };
  return name === "message" ? { ...column, paint: () => colors.heading } : column;
}

/** Leaves the last column a part of the line: of the others, the widest make room, but no number loses digits. */
function narrowed(columns: readonly ShownColumn[], width: number): readonly ShownColumn[] {
  const widths = columns.map(({ least }) => least);
  const others = columns.slice(0, -1);
  const excess = others.reduce((sum, { least }) => sum + least + 1, 0) - Math.floor(PART * width);
  const texts = [...others.keys()].filter((index) => others[index]?.isNumber !== true);
  const widthAt = (index: number) => widths[index] ?? 0;
  for (let left = excess; left > 0; left--) {
    const widest = texts.reduce((one, other) => (widthAt(other) > widthAt(one) ? other : one), texts[0] ?? -1);
    if (widthAt(widest) <= NARROWEST) break;
    widths[widest] = widthAt(widest) - 1;
  }
  return columns.map((column, index) => {
    const least = widthAt(index);
    if (column.isNumber) return column;
    return { ...column, least, most: least < column.least ? least : Math.max(MOST, least) };
  });
}
