import { printable } from "../writers/sanitise.js";
import { widthOf } from "../writers/text-width.js";

/** The widest that a column is made for one of its values: a wider value pushes the rest of its line aside. */
const WIDEST = 100;

/**
 * Rows of texts as aligned lines, below their titles. There may be any number of rows, with values of any length.
 * Captured text is made safe.
 */
export function* rowLines(titles: readonly string[], rows: readonly (readonly string[])[]): Generator<string> {
  const widths = titles.map((title) => widthOf(printable(title)));
  for (const row of rows) {
    for (const [index, text] of row.entries()) {
      const width = text.length > 2 * WIDEST ? WIDEST : Math.min(WIDEST, widthOf(printable(text)));
      widths[index] = Math.max(widths[index] ?? 0, width);
    }
  }
  for (const row of [titles, ...rows]) {
    const cells = row.map((text, index) => {
      const cell = printable(text);
      const isLast = index === row.length - 1;
      return isLast ? cell : cell + " ".repeat(Math.max(0, (widths[index] ?? 0) - widthOf(cell)));
    });
    yield `${cells.join("  ").trimEnd()}\n`;
  }
}
