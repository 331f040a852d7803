import { type Dissector, FilterError, type Message } from "../index.js";
import { jsonLine, jsonTreeLine } from "../output/json.js";
import type { Palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { summaryLine } from "../output/summary-line.js";
import { textTree } from "../output/text-tree.js";
import { TimeColumn, type TimeFormat } from "../output/time-column.js";
import { fieldsPrinter, passing } from "./display.js";

/** Formats of what is dissected, be it from a capture or not. */
export const valueFormats = ["tree", "summary", "json", "json-tree"] as const;
export type ValueFormat = (typeof valueFormats)[number];
export const formats = [...valueFormats, "fields"] as const;
export type Format = (typeof formats)[number];

/** The options that say what is shown, and how, as the command line gives them. */
export interface DisplayOptions {
  readonly format: Format;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly field?: readonly string[];
  readonly filter?: string;
  readonly hex?: boolean;
  readonly time: TimeFormat;
}

/** Which messages are shown, and how. */
export interface MessageDisplay {
  /** To be asked about every message, in the order of the capture. */
  readonly passes: (message: Message) => boolean;
  readonly print: (message: Message) => string;
}

/** Which messages are shown, and how; or why neither can be, in lines for a terminal. */
export async function displayOf(
  options: DisplayOptions,
  colors: Palette,
  dissectors: readonly Dissector[],
): Promise<MessageDisplay | string> {
  const isFields = options.format === "fields" && options.json !== true;
  const hasColumns = options.field !== undefined;
  if (isFields && !hasColumns) return "--format fields needs its columns: name each of them with -e";
  if (!isFields && (hasColumns || options.csv)) return "-e and --csv are of --format fields, and of no other format";
  try {
    const times = new TimeColumn(options.time);
    const filter = await passing(options.filter, dissectors);
    const passes = (message: Message) => {
      // Time counts from the start of the capture, whatever is shown of it.
      times.begin(message.conversation.first);
      return filter(message);
    };
    return { passes, print: await printer(options, times, colors, dissectors) };
  } catch (error) {
    if (error instanceof FilterError) return error.message.split("\n").map(printable).join("\n");
    throw error;
  }
}

async function printer(
  options: DisplayOptions,
  times: TimeColumn,
  colors: Palette,
  dissectors: readonly Dissector[],
): Promise<MessageDisplay["print"]> {
  const style = { colors, times, hex: options.hex ?? false };
  switch (options.json ? "json" : options.format) {
    case "json":
      return jsonLine;
    case "json-tree":
      return jsonTreeLine;
    case "summary":
      return (message) => summaryLine(message, times, colors);
    case "tree":
      return (message) => textTree(message, style);
    case "fields":
      return fieldsPrinter(options.field ?? [], dissectors, options.csv ? "csv" : "tab");
  }
}
