import type { Message } from "../dissect/message.js";
import type { Column } from "./field-columns.js";
import { printable } from "./sanitise.js";

/** How the columns of a line are kept apart: tabs, as tshark does, or commas and quotes (RFC 4180). */
export type Separation = "tab" | "csv";

/**
 * One message as one line of columns. Several values of a field stand in one column with commas between them, which are
 * not escaped, as tshark has it; a field that is absent leaves its column empty.
 */
export function fieldsLine(message: Message, columns: readonly Column[], separation: Separation): string {
  const cells = columns.map((column) => column(message).map(harmless).join(","));
  return separation === "tab" ? `${cells.join("\t")}\n` : `${cells.map(quoted).join(",")}\n`;
}

/** What makes a spreadsheet take a cell for a formula; a quote, because it may be dropped before the next look. */
const FORMULA = /^["=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** The same behind a semicolon, at which some spreadsheets cut cells, whatever stands around them. */
const FORMULA_BEHIND = /;(?=\s*["=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/;

/** A value that neither a terminal nor a spreadsheet obeys: it is shown as text, with an apostrophe in front. */
function harmless(value: string): string {
  const text = printable(value);
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  const text = cell.replace(FORMULA_BEHIND, ";'");
  return /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
