import type { Hit } from "../../find/search.js";
import type { Palette } from "../text/palette.js";
import { printable } from "../writers/sanitise.js";
import { cutEnd, cutStart, widthOf } from "../writers/text-width.js";

/** Most lines below a message. */
const MOST_LINES = 5;
const INDENT = "       ";
/** Columns of text before the place. */
const BEFORE = 30;
/** Columns for the text if nothing bounds the line. */
const USUAL_ROOM = 100;

/**
 * Where a text was found in a message, to follow its line in a summary: one line for each place, in which the text has a
 * colour.
 *
 * @param width of the terminal in columns
 */
export function hitLines(hits: readonly Hit[], { name, severity, faint }: Palette, width: number): string {
  const lines = hits.slice(0, MOST_LINES).map(({ path, text, at, length, bytes }) => {
    const where =
      bytes === undefined
        ? ""
        : `byte ${bytes.offset}${bytes.source > 0 ? " of what was inflated" : ""}, ${bytes.form}`;
    const title = printable([path, where].filter((part) => part !== "").join(" "));
    const head = title === "" ? "" : `${title}: `;
    const room = Math.min(USUAL_ROOM, width - INDENT.length - widthOf(head));
    const before = cutStart(printable(text.slice(0, at)), Math.min(BEFORE, Math.max(0, room - length))).text;
    const found = cutEnd(printable(text.slice(at, at + length)), Math.max(0, room - widthOf(before))).text;
    const after = cutEnd(printable(text.slice(at + length)), Math.max(0, room - widthOf(before) - widthOf(found))).text;
    return `${INDENT}${name(head)}${before}${severity("error")(found)}${after}\n`;
  });
  const more = hits.length - MOST_LINES;
  if (more > 0) lines.push(`${INDENT}${faint(`and in ${more} more places`)}\n`);
  return lines.join("");
}
