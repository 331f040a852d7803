import { type Dissector, displayFilter, type Message } from "../index.js";
import type { Separation } from "../output/fields-line.js";

/** What `-Y` lets pass; everything without it. */
export async function passing(
  expression: string | undefined,
  dissectors: readonly Dissector[],
): Promise<(message: Message) => boolean> {
  return expression === undefined ? () => true : displayFilter(expression, dissectors);
}

/** Prints the columns of `--format fields`. Loaded only when it is asked for, as filters are. */
export async function fieldsPrinter(
  paths: readonly string[],
  dissectors: readonly Dissector[],
  separation: Separation,
): Promise<(message: Message) => string> {
  const { Vocabulary } = await import("../filter/index.js");
  const { columnOf } = await import("../output/field-columns.js");
  const { fieldsLine } = await import("../output/fields-line.js");
  const vocabulary = Vocabulary.of(dissectors);
  const columns = paths.map((path) => columnOf(path, vocabulary));
  return (message) => fieldsLine(message, columns, separation);
}
