import type { Message } from "../../dissect/message.js";
import { cutEnd, cutStart } from "../writers/text-width.js";

/** A column of a summary that fits a width. */
export interface ShownColumn {
  /** Columns of the terminal that it takes at least, unless it is the last one. */
  readonly least: number;
  /** Where it is cut, unless it is the last one, which gets what remains. */
  readonly most: number;
  /** True if its end says more than its beginning. */
  readonly keepsEnd?: boolean;
  readonly isNumber?: boolean;
  /** Its text, which is safe for a terminal; what does not fit into the room is cut off. */
  readonly text: (message: Message, room: number) => string;
  readonly paint?: (message: Message) => (text: string) => string;
}

/**
 * One message as one line that is not wider than a terminal.
 *
 * @param width of the terminal in columns
 * @param paint colours the whole line, instead of the colours of its columns
 */
export function shownLine(
  columns: readonly ShownColumn[],
  message: Message,
  width: number,
  paint?: (text: string) => string,
): string {
  let line = "";
  let left = width;
  // A line does not end in blanks: those before a column are added with its text.
  let blanks = 0;
  for (const [index, column] of columns.entries()) {
    const isLast = index === columns.length - 1;
    if (index > 0) blanks++;
    const room = left - blanks;
    if (room <= 0) break;
    const most = isLast ? room : Math.min(column.most, room);
    const { text, width: taken } = (column.keepsEnd ? cutStart : cutEnd)(column.text(message, most), most);
    const padding = isLast ? 0 : Math.max(0, Math.min(column.least, room) - taken);
    if (column.isNumber) blanks += padding;
    if (text !== "") {
      const painted = paint === undefined ? column.paint?.(message)(text) : text;
      line += " ".repeat(blanks) + (painted ?? text);
      left -= blanks + taken;
      blanks = 0;
    }
    if (!column.isNumber) blanks += padding;
  }
  return `${paint === undefined ? line : paint(line)}\n`;
}
