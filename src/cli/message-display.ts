import type { Dissector, Message, Origin } from "../index.js";
import { jsonLineBytes, jsonTreeLineBytes } from "../output/json/json.js";
import type { OpenRequests } from "../output/text/open-requests.js";
import type { Palette } from "../output/text/palette.js";
import { TextTree } from "../output/text/text-tree.js";
import { TimeColumn, type TimeFormat } from "../output/text/time-column.js";
import type { Separation } from "../output/writers/cell-writer.js";
import { displayFilter } from "../pipeline/display-filter.js";
import { type Format, type FormatOptions, formatOf } from "./options/format.js";
import { type SummaryOptions, summaryDisplay } from "./summary-display.js";
import { UsageError } from "./usage-error.js";

/** The options that say what is shown, and how, as the command line gives them. */
export interface DisplayOptions extends FormatOptions<Format>, SummaryOptions {
  readonly filter?: string | undefined;
  readonly time?: TimeFormat;
  /** False for `--no-header`. */
  readonly header?: boolean;
}

/** True if little is printed of a message, so that its tree need not be built. */
export function printsParts(options: DisplayOptions): boolean {
  const format = formatOf(options);
  return format === "summary" || format === "fields";
}

/** Which messages are shown, and how. */
interface MessageDisplay {
  /** Must be called with the first packet of the capture: times may count from it. */
  readonly begin: (first: Origin) => void;
  readonly passes: (message: Message) => boolean;
  /**
   * Must be called in the order of the capture; if times count from the one before, for every message that is shown.
   * That is why such runs are not shared with other threads: see `whyAlone`. Bytes are UTF-8, and valid until the next
   * message is printed.
   */
  readonly print: (message: Message) => string | Uint8Array;
  /** Has to see all messages before they are printed, and those that do not pass, too. */
  readonly requests?: OpenRequests;
  /** What is odd about the options. */
  readonly remarks?: readonly string[];
}

/**
 * Works out which messages are shown, and how.
 *
 * @param terminalWidth the width of the terminal in columns, which may change; none for a pipe or a file
 * @throws UsageError or FilterError if the options make no sense
 */
export async function displayOf(
  options: DisplayOptions,
  colors: Palette,
  dissectors: readonly Dissector[],
  terminalWidth?: () => number,
): Promise<MessageDisplay> {
  if (formatOf(options) === "fields" && options.field === undefined) {
    throw new UsageError("--format fields needs columns: name each of them with -e");
  }
  const times = new TimeColumn(options.time ?? "absolute");
  const passes = await passing(options.filter, dissectors);
  const format = formatOf(options);
  const { begin } = times;
  if (format === "summary") {
    return { begin, passes, ...(await summaryDisplay(options, { colors, dissectors, times, terminalWidth })) };
  }
  return { begin, passes, print: await printer(format, options, times, colors, dissectors) };
}

/** The filter of `-Y`; without it, everything passes. */
export async function passing(
  expression: string | undefined,
  dissectors: readonly Dissector[],
): Promise<(message: Message) => boolean> {
  return expression === undefined ? () => true : displayFilter(expression, dissectors);
}

async function printer(
  format: Exclude<Format, "summary">,
  options: DisplayOptions,
  times: TimeColumn,
  colors: Palette,
  dissectors: readonly Dissector[],
): Promise<MessageDisplay["print"]> {
  switch (format) {
    case "json":
      return (message) => jsonLineBytes(message, options.jsonVersion);
    case "json-tree":
      return (message) => jsonTreeLineBytes(message, options.jsonVersion);
    case "tree": {
      const tree = new TextTree({ colors, times, hex: options.hex ?? false });
      return (message) => tree.message(message);
    }
    case "fields":
      return fieldsPrinter(options.field ?? [], dissectors, separationOf(options.csv));
  }
}

/** How the columns of `--format fields` are separated. */
export function separationOf(isCsv: boolean | undefined): Separation {
  return isCsv === true ? "csv" : "tab";
}

/** Prints the columns of `--format fields`. Loaded only when needed, as filters are. */
async function fieldsPrinter(
  paths: readonly string[],
  dissectors: readonly Dissector[],
  separation: Separation,
): Promise<(message: Message) => Uint8Array> {
  const { Vocabulary } = await import("../filter/index.js");
  const { columnOf } = await import("../output/tables/field-columns.js");
  const { CellWriter } = await import("../output/writers/cell-writer.js");
  const { fieldsLine } = await import("../output/tables/fields-line.js");
  const vocabulary = Vocabulary.of(dissectors);
  const columns = paths.map((path) => columnOf(path, vocabulary));
  const writer = new CellWriter(separation);
  return (message) => fieldsLine(message, columns, writer);
}

/**
 * The line that names the columns of a CSV file, unless `--no-header` leaves it out; empty for everything else.
 *
 * @throws UsageError for `--no-header` without `--csv`
 */
export async function headerOf({ csv = false, header = true, field = [] }: DisplayOptions): Promise<Uint8Array | ""> {
  if (!header && !csv) throw new UsageError("--no-header works only with --csv");
  if (!header || !csv) return "";
  const { CellWriter } = await import("../output/writers/cell-writer.js");
  const { headerLine } = await import("../output/tables/fields-line.js");
  return headerLine(field, new CellWriter("csv"));
}
