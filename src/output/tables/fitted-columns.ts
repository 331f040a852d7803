/** Blanks between two columns. */
const BETWEEN = 2;
/** Width below which no column is cut: fewer characters would say nothing. */
const NARROWEST = 12;

/** A column of a table whose rows are of one kind. */
export interface Column<Row> {
  readonly title: string;
  readonly isNumber?: boolean;
  /** True if it says little without the column before it, and has to stay beside it. */
  readonly belongsToPrevious?: boolean;
  /** True if it may be left out where there is not enough room. */
  readonly isOptional?: boolean;
  readonly cell: (row: Row) => string;
}

/** A column with the width that its cells need. */
interface Measured<Row> {
  readonly column: Column<Row>;
  readonly width: number;
}

/** The columns of a table, with the widths assigned to them. */
interface Group<Row> {
  readonly columns: readonly Column<Row>[];
  readonly widths: readonly number[];
}

/**
 * Lays out columns for a terminal. Optional columns are left out as needed; if that is not enough, the columns are
 * split into several tables, each beginning with the first column; a column that is still too wide is cut.
 */
export function fitted<Row>(columns: readonly Measured<Row>[], width: number): Group<Row>[] {
  const kept = [...columns];
  while (total(kept) > width) {
    const optional = kept.findLastIndex(({ column }) => column.isOptional);
    if (optional < 0) break;
    kept.splice(optional, 1);
  }
  const [first, ...others] = kept;
  if (first === undefined) return [];
  const groups: Measured<Row>[][] = [];
  let group = [first];
  for (const unit of units(others)) {
    if (group.length > 1 && total([...group, ...unit]) > width) {
      groups.push(group);
      group = [first];
    }
    group.push(...unit);
  }
  return [...groups, group].map((measured) => cut(measured, width));
}

/** Groups the columns that have to stay side by side. */
function units<Row>(columns: readonly Measured<Row>[]): Measured<Row>[][] {
  const found: Measured<Row>[][] = [];
  for (const measured of columns) {
    const last = found.at(-1);
    if (measured.column.belongsToPrevious && last !== undefined) last.push(measured);
    else found.push([measured]);
  }
  return found;
}

/** Narrows the last column of a table that is too wide. */
function cut<Row>(group: readonly Measured<Row>[], width: number): Group<Row> {
  const widths = group.map((measured) => measured.width);
  const last = widths.pop() ?? 0;
  const excess = Math.max(0, total(group) - width);
  widths.push(Math.max(Math.min(last, NARROWEST), last - excess));
  return { columns: group.map(({ column }) => column), widths };
}

function total<Row>(columns: readonly Measured<Row>[]): number {
  return columns.reduce((sum, { width }) => sum + width + BETWEEN, -BETWEEN);
}
