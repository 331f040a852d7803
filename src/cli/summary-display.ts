import { readFile } from "node:fs/promises";
import { counted } from "../common/counted.js";
import { FilterError } from "../filter/language/filter-error.js";
import type { Dissector, Message } from "../index.js";
import { OpenRequests } from "../output/text/open-requests.js";
import { colorless, type Palette } from "../output/text/palette.js";
import { type ShownColumn, shownLine } from "../output/text/shown-column.js";
import { summaryLines } from "../output/text/summary-line.js";
import { type SummaryStyle, summaryColumns } from "../output/text/terminal-summary.js";
import type { TimeColumn, TimeFormat } from "../output/text/time-column.js";
import { displayFilter } from "../pipeline/display-filter.js";
import { whyUnreadable } from "../platform/node/file-error.js";
import { systemPath } from "../platform/node/system-path.js";
import { type ColorRule, parseColorRule } from "./options/color-filter.js";
import { type FiledRule, parseColorFilters } from "./options/color-filter-file.js";
import { UsageError } from "./usage-error.js";

/** The options that say how a summary looks, as the command line gives them. */
export interface SummaryOptions {
  readonly time?: TimeFormat;
  readonly wide?: boolean;
  readonly columns?: string;
  readonly colorFilter?: readonly string[];
  /** Wireshark's colour filter file. */
  readonly colorFilters?: string;
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
  /** What is odd about the options. */
  readonly remarks: readonly string[];
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
  const { paint, remarks } = await linePaint(options, target);
  if (terminalWidth === undefined && options.columns === undefined) {
    return { print: wholeLines(summaryLines(times, colors), summaryLines(times, colorless), paint), remarks };
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
  return { print, ...(requests && { requests }), remarks };
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
  options: SummaryOptions,
  { colors, dissectors }: SummaryTarget,
): Promise<{ readonly paint: LinePaint | undefined; readonly remarks: readonly string[] }> {
  const rules: { passes: (message: Message) => boolean; paint: (text: string) => string }[] = [];
  const add = async ({ expression, color }: ColorRule) => {
    rules.push({ passes: await displayFilter(expression, dissectors), paint: colors.chosen(color) });
  };
  for (const text of options.colorFilter ?? []) await add(parseColorRule(text));
  const leftOut: string[] = [];
  for (const rule of options.colorFilters === undefined ? [] : await filedRules(options.colorFilters)) {
    try {
      await add(rule);
    } catch (error) {
      if (!(error instanceof FilterError)) throw error;
      // One for all protocols has filters for many that do not exist here.
      leftOut.push(`line ${rule.line}: ${error.reason}`);
    }
  }
  const paint = (message: Message) => rules.find(({ passes }) => passes(message))?.paint;
  const remarks =
    leftOut.length === 0
      ? []
      : [`${options.colorFilters}: ${counted(leftOut.length, "rule")} of no use here; the first is in ${leftOut[0]}`];
  return { paint: rules.length === 0 || colors === colorless ? undefined : paint, remarks };
}

/** The rules of a colour filter file. @throws UsageError if it cannot be read */
export async function filedRules(path: string): Promise<FiledRule[]> {
  try {
    return parseColorFilters(await readFile(await systemPath(path), "utf8"));
  } catch (error) {
    throw new UsageError(`${path}: ${whyUnreadable(error)}`);
  }
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
