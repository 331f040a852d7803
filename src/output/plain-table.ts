import Table from "cli-table3";
import { printable } from "./sanitise.js";

/** A column of a table of rows of one kind. */
export interface Column<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => string;
}

/** No lines, only columns: whoever cuts them apart finds two blanks between them. And no colours of the table's own. */
const PLAIN = {
  chars: {
    ...{ top: "", "top-mid": "", "top-left": "", "top-right": "" },
    ...{ bottom: "", "bottom-mid": "", "bottom-left": "", "bottom-right": "" },
    ...{ left: "", "left-mid": "", mid: "", "mid-mid": "", right: "", "right-mid": "", middle: "  " },
  },
  style: { head: [], border: [], "padding-left": 0, "padding-right": 0, compact: true },
};

/**
 * Rows as a table that is aligned by what a terminal shows. Captured text in cells is made safe.
 *
 * @param heading colours the titles
 */
export function plainTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  heading: (text: string) => string,
): string {
  const table = new Table({
    ...PLAIN,
    head: columns.map(({ title }) => heading(title)),
    colAligns: columns.map(({ isNumber }) => (isNumber ? "right" : "left")),
  });
  for (const row of rows) table.push(columns.map(({ cell }) => printable(cell(row))));
  return table
    .toString()
    .split("\n")
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}
