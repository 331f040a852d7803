import { type Dissector, displayFilter, type Message } from "../index.js";
import { OpenRequests } from "../output/text/open-requests.js";
import { colorless, type Palette } from "../output/text/palette.js";
import { type ShownColumn, shownLine } from "../output/text/shown-column.js";
import { summaryLines } from "../output/text/summary-line.js";
import { type SummaryStyle, summaryColumns } from "../output/text/terminal-summary.js";
import type { TimeColumn, TimeFormat } from "../output/text/time-column.js";
import { parseColorRule } from "./options/color-filter.js";
import { UsageError } from "./usage-error.js";

/** The options that say how a summary looks, as the command line gives them. */
export interface SummaryOptions {
  readonly time?: TimeFormat;
  readonly wide?: boolean;
  readonly columns?: string;
  readonly colorFilter?: readonly string[];
}

/** What a summary is made for. */
interface SummaryTarget {
  readonly colors: Palette;
  readonly dissectors: readonly Dissector[];
  /** Times, as a pipe gets them. */
  readonly times: TimeColumn;
  /** The width of the terminal in columns, which may change; undefined if the output does not go to one. */
  readonly terminalWidth: (() => number) | undefined;
}

/** Prints messages as lines of a summary. */
interface SummaryDisplay {
  readonly print: (message: Message) => string | Uint8Array;
  /** On a terminal: has to see all messages, whether they are shown or not. */
  readonly requests?: OpenRequests;
}

/** The colour of a whole line, where the user has chosen one. */
type LinePaint = (message: Message) => ((text: string) => string) | undefined;

/**
 * Returns what prints a summary. A terminal gets lines that fit; a pipe, lines that are always the same.
 *
 * @throws UsageError or FilterError if the options make no sense
 */
export async function summaryDisplay(options: SummaryOptions, target: SummaryTarget): Promise<SummaryDisplay> {
  const { colors, times, terminalWidth } = target;
  const paint = await linePaint(options.colorFilter ?? [], target);
  if (terminalWidth === undefined && options.columns === undefined) {
    return { print: wholeLines(summaryLines(times, colors), summaryLines(times, colorless), paint) };
  }
  const requests = terminalWidth === undefined ? undefined : new OpenRequests();
  const isShort = requests !== undefined && options.wide !== true && options.time === undefined;
  const style: SummaryStyle = { colors, requests, times: isShort ? undefined : times };
  const columnsOf = await layout(options.columns, style, target);
  const widthNow = options.wide || terminalWidth === undefined ? () => Number.POSITIVE_INFINITY : terminalWidth;
  let width = -1;
  let columns: readonly ShownColumn[] = [];
  const print = (message: Message) => {
    const now = widthNow();
    if (now !== width) {
      width = now;
      columns = columnsOf(width);
    }
    return shownLine(columns, message, width, paint?.(message));
  };
  return { print, ...(requests && { requests }) };
}

/** The columns for each width: those that the user has named, or the usual ones. */
async function layout(
  names: string | undefined,
  style: SummaryStyle,
  { dissectors }: SummaryTarget,
): Promise<(width: number) => readonly ShownColumn[]> {
  if (names === undefined) return (width) => summaryColumns(width, style);
  const { Vocabulary } = await import("../filter/index.js");
  const { customColumns } = await import("../output/tables/custom-columns.js");
  const vocabulary = Vocabulary.of(dissectors);
  const each = names.split(",").map((name) => name.trim());
  if (each.includes("")) throw new UsageError("--columns needs names with commas between them: time,source,info");
  // Mistakes are reported before anything is read.
  customColumns(each, vocabulary, Number.POSITIVE_INFINITY, style);
  return (width) => customColumns(each, vocabulary, width, style);
}

/** What colours whole lines; undefined if nothing does. */
async function linePaint(
  texts: readonly string[],
  { colors, dissectors }: SummaryTarget,
): Promise<LinePaint | undefined> {
  const rules: { passes: (message: Message) => boolean; paint: (text: string) => string }[] = [];
  for (const text of texts) {
    const { expression, color } = parseColorRule(text);
    rules.push({ passes: await displayFilter(expression, dissectors), paint: colors.chosen(color) });
  }
  if (rules.length === 0 || colors === colorless) return undefined;
  return (message) => rules.find(({ passes }) => passes(message))?.paint;
}

/** Lines as a pipe gets them, some of them in one colour. */
function wholeLines(
  lines: (message: Message) => Uint8Array,
  plain: (message: Message) => Uint8Array,
  paint: LinePaint | undefined,
): (message: Message) => string | Uint8Array {
  if (paint === undefined) return lines;
  return (message) => {
    const color = paint(message);
    return color === undefined ? lines(message) : `${color(Buffer.from(plain(message)).toString().trimEnd())}\n`;
  };
}
