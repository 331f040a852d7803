import { ColumnRows } from "./columns/column-rows.js";
import { Memory } from "./columns/growing.js";
import type { Leaf } from "./columns/leaf.js";
import type { Row, Table, Value } from "./table.js";

/** Columns whose values hardly ever repeat: telling them apart would only take time. */
const UNIQUE: ReadonlySet<string> = new Set(["number", "time", "epoch", "offset", "frames", "summary", "fields_json"]);

/** The column that all tables begin with. */
const CAPTURE = "capture";

/** Rows of a table, column by column. */
export class TableRows {
  readonly columns: readonly ColumnRows[];
  readonly #names: readonly string[];
  readonly #memory: Memory;
  count = 0;

  /**
   * @param capture the digest of the capture that all rows are of
   * @param memory what all tables take
   */
  constructor(
    readonly table: Table,
    readonly capture: string,
    memory: Memory,
  ) {
    this.#memory = new Memory(memory);
    this.#names = table.columns.map(({ name }) => name);
    this.columns = table.columns.map(({ name, type }) => new ColumnRows(type, this.#memory, UNIQUE.has(name)));
  }

  /** How much memory the rows take, in bytes. */
  get size(): number {
    return this.#memory.held;
  }

  /** Adds a row. What is out of a column's range, such as a time that no clock shows, is null. */
  add(row: Row): void {
    this.addInOrder(this.#names.map((name) => row[name]));
  }

  /** Adds a row, the values of which are in the order of the columns. @param first the column of the first one */
  addInOrder(row: readonly Value[], first = 0): void {
    const { columns, count } = this;
    for (let at = first; at < columns.length; at++) columns[at]?.add(count, row[at - first]);
    this.count++;
  }

  /**
   * Ends a group of rows; returns their values, in the order of the columns. A leaf without levels has nothing in any
   * row.
   */
  end(): readonly Leaf[] {
    const [first] = this.columns;
    if (this.#names[0] === CAPTURE && this.count > 0) first?.addRows(this.capture, this.count);
    for (const column of this.columns) column.end(this.count);
    return this.columns.flatMap(({ builder }) => builder.leaves);
  }

  clear(): void {
    for (const column of this.columns) column.clear();
    this.count = 0;
  }
}
