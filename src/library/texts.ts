import type { Message } from "../dissect/message.js";
import type { Dissector } from "../dissector/dissector.js";
import { Vocabulary } from "../filter/index.js";
import { columnOf } from "../output/tables/field-columns.js";
import { colorless } from "../output/text/palette.js";
import { summaryLines } from "../output/text/summary-line.js";
import { TextTree } from "../output/text/text-tree.js";
import { TimeColumn } from "../output/text/time-column.js";
import { CellWriter } from "../output/writers/cell-writer.js";
import { dissectors as builtIn } from "../pipeline/dissectors.js";

const decoder = new TextDecoder();
const absolute = new TimeColumn("absolute");
const summaries = summaryLines(absolute, colorless);
const plainTree = new TextTree({ colors: colorless, times: absolute, hex: false });
const hexTree = new TextTree({ colors: colorless, times: absolute, hex: true });

/** The line of `--format summary` for a message, without its line end. Safe for a terminal. */
export function summaryLine(message: Message): string {
  return decoder.decode(summaries(message)).trimEnd();
}

/** The lines of `--format tree` for a message: every field with its value and notes. Safe for a terminal. */
export function treeText(message: Message, { hex = false }: { readonly hex?: boolean } = {}): string {
  return decoder.decode((hex ? hexTree : plainTree).message(message));
}

/**
 * Returns what reads columns of messages, by the paths that filters use: `pfKIMsg.senderName`. Several values of a column
 * are separated by commas; a column that a message does not have is empty.
 *
 * @throws FilterError if a path names something that does not exist
 */
export function columns(
  paths: readonly string[],
  dissectors: readonly Dissector[] = builtIn,
): (message: Message) => string[] {
  const vocabulary = Vocabulary.of(dissectors);
  const each = paths.map((path) => columnOf(path, vocabulary));
  const writer = new CellWriter("none");
  return (message) =>
    each.map((column) => {
      writer.clear();
      writer.beginCell();
      column(message, writer);
      writer.endCell();
      return writer.toString();
    });
}
