import { BooleanValues } from "./columns/boolean-values.js";
import { ColumnRows } from "./columns/column-rows.js";
import { Memory } from "./columns/growing.js";
import type { Leaf } from "./columns/leaf.js";
import { NumberValues } from "./columns/number-values.js";
import { RowBatch } from "./columns/row-batch.js";
import type { Row, Table, Value } from "./table.js";

/** Columns whose values hardly ever repeat: telling them apart would only take time. */
const UNIQUE: ReadonlySet<string> = new Set(["number", "time", "epoch", "offset", "frames", "summary", "fields_json"]);

/** The column that all tables begin with. */
const CAPTURE = "capture";

/** Where the values of a column go in a batch. */
interface Cell {
  readonly column: ColumnRows;
  /** Undefined for lists and structs, which are not in batches. */
  readonly leaf: Leaf | undefined;
  readonly slot: number;
  /** Those of the leaf, if they are numbers or truth values. */
  readonly values: NumberValues | BooleanValues | undefined;
}

/** Rows of a table, column by column. */
export class TableRows {
  readonly columns: readonly ColumnRows[];
  readonly #names: readonly string[];
  readonly #memory: Memory;
  count = 0;
  /** Rows that are not in the columns yet. */
  readonly batch: RowBatch;
  #cells: readonly Cell[] | undefined;

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
    this.batch = new RowBatch(this.#memory);
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
    this.#cells ??= this.columns.map((column) => this.#cellOf(column));
    const { batch, count } = this;
    const place = batch.begin();
    const { numbers, levels } = batch;
    for (let at = first; at < this.#cells.length; at++) {
      const value = row[at - first];
      const cell = this.#cells[at];
      if (value === null || value === undefined || cell === undefined) continue;
      const { column, leaf, slot, values } = cell;
      if (leaf === undefined) column.add(count, value);
      else if (values === undefined ? leaf.values.add(value) : values.put(value, numbers, place + slot)) {
        levels[place + slot] = leaf.deepest;
      }
    }
    this.count++;
  }

  #cellOf(column: ColumnRows): Cell {
    const { builder } = column;
    if (!("leaf" in builder)) return { column, leaf: undefined, slot: -1, values: undefined };
    const { leaf } = builder;
    const { values } = leaf;
    const isNumber = values instanceof NumberValues || values instanceof BooleanValues;
    return { column, leaf, slot: this.batch.slotOf(leaf), values: isNumber ? values : undefined };
  }

  /**
   * Ends a group of rows; returns their values, in the order of the columns. A leaf without levels has nothing in any
   * row.
   */
  end(): readonly Leaf[] {
    this.batch.flush();
    const [first] = this.columns;
    if (this.#names[0] === CAPTURE && this.count > 0) first?.addRows(this.capture, this.count);
    const leaves = this.columns.flatMap(({ leaves }) => leaves);
    for (const leaf of leaves) leaf.end(this.count);
    return leaves;
  }

  clear(): void {
    for (const { leaves } of this.columns) for (const leaf of leaves) leaf.clear();
    this.batch.first = 0;
    this.count = 0;
  }
}
