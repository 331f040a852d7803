import Table from "cli-table3";
import { printable } from "../writers/sanitise.js";
import { type Column, fitted } from "./fitted-columns.js";

/** No rules, only columns with two blanks between them, so that scripts can split them; no colours of its own. */
const PLAIN = {
  chars: {
    ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
    ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
    ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: "  " },
  },
  style: { head: [], border: [], "padding-left": 0, "padding-right": 0, compact: true },
};

/**
 * Rows as a table, aligned by the width that a terminal shows. Captured text in cells is made safe.
 *
 * @param heading colours the titles
 * @param width of the terminal in columns; what does not fit goes below, in tables that begin with the same column
 */
export function plainTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  heading: (text: string) => string,
  width = Number.POSITIVE_INFINITY,
): string {
  if (width === Number.POSITIVE_INFINITY) return table(rows, columns, heading);
  const measured = columns.map((column) => ({ column, width: widthOf(rows, column) }));
  return fitted(measured, width)
    .map((group) => table(rows, group.columns, heading, group.widths))
    .join("\n");
}

function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  heading: (text: string) => string,
  widths: readonly number[] = [],
): string {
  return lines(rows, columns, heading, widths)
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function lines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  heading: (text: string) => string,
  widths: readonly number[],
): string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))));
  const aligned = alignedLines(cells, columns, heading, widths);
  if (aligned !== undefined) return aligned;
  const made = new Table({
    ...PLAIN,
    head: columns.map(({ title }) => heading(title)),
    colAligns: columns.map(({ isNumber }) => (isNumber ? "right" : "left")),
    colWidths: [...widths],
  });
  for (const row of cells) made.push(row);
  return made.toString().split("\n");
}

/** How many terminal columns a column takes: the number of blanks in an empty row of it. */
function widthOf<Row>(rows: readonly Row[], { title, cell }: Column<Row>): number {
  const column: Column<Row | undefined> = { title, cell: (row) => (row === undefined ? "" : cell(row)) };
  return lines([...rows, undefined], [column], (text) => text, []).at(-1)?.length ?? 0;
}

/** Text whose characters each take one column of a terminal. */
const ONE_COLUMN_EACH = /^[ -~]*$/;

/**
 * Produces the same lines if every cell is as wide as it is long, and fits: the time that the package takes grows with
 * the square of the number of rows, and there may be ten thousand.
 */
function alignedLines<Row>(
  cells: readonly (readonly string[])[],
  columns: readonly Column<Row>[],
  heading: (text: string) => string,
  given: readonly number[],
): string[] | undefined {
  const widths = columns.map(({ title }, index) => given[index] ?? title.length);
  for (const row of [columns.map(({ title }) => title), ...cells]) {
    for (const [index, cell] of row.entries()) {
      const width = widths[index] ?? 0;
      if (!ONE_COLUMN_EACH.test(cell) || (given.length > 0 && cell.length > width)) return undefined;
      widths[index] = Math.max(width, cell.length);
    }
  }
  const line = (row: readonly string[], paint: (text: string) => string) => {
    const padded = row.map((text, index) => {
      const gap = " ".repeat((widths[index] ?? 0) - text.length);
      return columns[index]?.isNumber === true ? gap + paint(text) : paint(text) + gap;
    });
    return padded.join("  ");
  };
  const titles = columns.map(({ title }) => title);
  return [line(titles, heading), ...cells.map((row) => line(row, (text) => text))];
}
