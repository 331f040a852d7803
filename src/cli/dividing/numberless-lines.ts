import { parsePath, Vocabulary } from "../../filter/index.js";
import type { Dissector, Message } from "../../index.js";
import { type Column, columnOf } from "../../output/tables/field-columns.js";
import { fieldsLine } from "../../output/tables/fields-line.js";
import { CellWriter } from "../../output/writers/cell-writer.js";
import type { NumberlessLine } from "../../parallel/shares/printing-trace.js";
import { type DisplayOptions, separationOf } from "../message-display.js";

/** The number of a message is known only once those of all threads are put in order. */
const NUMBER = "number";
/** What may tell the number of a message, or of another one. */
const NUMBERED = /\b(?:number|answers|answeredBy|summary)\b/;

/** True if nothing but the column of the number depends on the numbers of messages. */
export function canLackNumbers({ filter = "", field = [] }: DisplayOptions): boolean {
  const names = field.map(nameOf).filter((name) => name !== undefined);
  const others = names.filter((name) => name !== NUMBER);
  return names.length - others.length <= 1 && ![filter, ...others].some((text) => NUMBERED.test(text));
}

/** The lines of `--format fields`, without the numbers of messages. */
export function numberlessLines(
  { field = [], csv }: DisplayOptions,
  dissectors: readonly Dissector[],
): (message: Message) => NumberlessLine {
  const vocabulary = Vocabulary.of(dissectors);
  const line: { bytes: Uint8Array; numberAt: number | undefined } = { bytes: new Uint8Array(0), numberAt: undefined };
  const number: Column = (_message, writer) => {
    line.numberAt = writer.length;
  };
  const columns = field.map((path) => (nameOf(path) === NUMBER ? number : columnOf(path, vocabulary)));
  const writer = new CellWriter(separationOf(csv));
  return (message) => {
    line.bytes = fieldsLine(message, columns, writer);
    return line;
  };
}

/** The name of a field of messages themselves; undefined for one in their fields. */
function nameOf(path: string): string | undefined {
  const { names, isField } = parsePath(path);
  return isField ? undefined : names.join(".");
}
