import type { Message } from "../../dissect/message.js";
import type { CellWriter } from "../writers/cell-writer.js";
import type { Column } from "./field-columns.js";

/**
 * One message as one line of columns, in UTF-8, valid until the next line is made. Several values of a field share one
 * column, separated by commas that are not escaped, as in tshark; an absent field leaves its column empty.
 */
export function fieldsLine(message: Message, columns: readonly Column[], writer: CellWriter): Uint8Array {
  writer.clear();
  for (const writeValues of columns) {
    writer.beginCell();
    writeValues(message, writer);
    writer.endCell();
  }
  writer.endLine();
  return writer.bytes;
}

/** Returns the line above columns that names them by their paths, in UTF-8. */
export function headerLine(paths: readonly string[], writer: CellWriter): Uint8Array {
  writer.clear();
  for (const path of paths) {
    writer.beginCell();
    writer.value(path);
    writer.endCell();
  }
  writer.endLine();
  return writer.bytes.slice();
}
