import { ColumnRows } from "./columns/column-rows.js";
import type { Memory } from "./columns/growing.js";
import type { Leaf, LeafPart } from "./columns/leaf.js";
import { RowBatch } from "./columns/row-batch.js";
import type { Values } from "./columns/values.js";
import type { KnownCells } from "./known-cells.js";
import type { Row, Table, Value } from "./table.js";

/** Columns whose values hardly ever repeat: telling them apart would only take time. */
const UNIQUE: ReadonlySet<string> = new Set(["number", "time", "epoch", "offset", "frames", "summary", "fields_json"]);

/** The column that all tables begin with. */
const CAPTURE = "capture";

/** Where the values of a column go in a batch. */
interface Cell {
  readonly column: ColumnRows;
  /** Undefined for lists and structs, which are not in batches. */
  readonly values: Values | undefined;
  /** The level of a value that is there. */
  readonly deepest: number;
  readonly slot: number;
}

/** Rows of a table as plain data, for another `TableRows` of the same table. */
export interface RowsPart {
  /** The name of the table. */
  readonly table: string;
  readonly count: number;
  /** The leaves that have something, and which of them they are. */
  readonly leaves: readonly (LeafPart & { readonly at: number })[];
}

/** Rows of a table, column by column. */
export class TableRows {
  readonly columns: readonly ColumnRows[];
  readonly #names: readonly string[];
  readonly #leaves: readonly Leaf[];
  count = 0;
  /** Rows that are not in the columns yet. */
  readonly batch = new RowBatch();
  #cells: readonly Cell[] | undefined;
  /** Stands for the group of rows at hand. */
  #group = {};

  /**
   * @param capture the digest of the capture that all rows are of
   * @param memory that of all tables
   */
  constructor(
    readonly table: Table,
    readonly capture: string,
    memory: Memory,
  ) {
    this.#names = table.columns.map(({ name }) => name);
    this.columns = table.columns.map(({ name, type }) => new ColumnRows(type, memory, UNIQUE.has(name)));
    this.#leaves = this.columns.flatMap(({ leaves }) => leaves);
  }

  /** How many bytes the rows take. */
  get size(): number {
    this.batch.flush();
    let size = 0;
    for (const leaf of this.#leaves) size += leaf.size;
    return size;
  }

  /** The rows as plain data, which is valid until there are others. */
  get part(): RowsPart {
    const { table, count } = this;
    this.batch.flush();
    const leaves = this.#leaves.flatMap((leaf, at) => {
      if (leaf.isEmpty) return [];
      leaf.end(count);
      return [{ at, ...leaf.part }];
    });
    return { table: table.name, count, leaves };
  }

  /** Adds rows that were gathered elsewhere. */
  append({ count, leaves }: RowsPart): void {
    this.batch.flush();
    for (const { at, ...part } of leaves) this.#leaves[at]?.append(this.count, count, part);
    this.count += count;
    this.batch.first = this.count;
  }

  /** Adds a row. What is out of a column's range, such as a time that no clock shows, is null. */
  add(row: Row): void {
    this.addInOrder(this.#names.map((name) => row[name]));
  }

  /**
   * Adds a row, the values of which are in the order of the columns.
   *
   * @param first the column of the first one
   * @param same how many of the first values are those of the row before, none of them lists
   * @param known what other rows have in some columns, none of them lists; it is kept there if this is the first one
   */
  addInOrder(row: readonly Value[], first = 0, same = 0, known?: KnownCells): void {
    this.#cells ??= this.columns.map((column) => this.#cellOf(column));
    const { batch, count } = this;
    const place = batch.begin();
    const { numbers, levels } = batch;
    const copied = same > 0 && this.#copy(place, first, first + same) ? same : 0;
    const isKnown = known?.isOf(this.#group) === true;
    if (isKnown) known.put(batch, place + this.#slotAt(known.first));
    for (let at = first + copied; at < this.#cells.length; at++) {
      if (isKnown && at === known.first) at = known.end;
      const value = row[at - first];
      const cell = this.#cells[at];
      if (value === null || value === undefined || cell === undefined) continue;
      const { column, values, deepest, slot } = cell;
      if (values === undefined) column.add(count, value);
      else if (values.put(value, numbers, place + slot)) levels[place + slot] = deepest;
    }
    if (known !== undefined && !isKnown && this.#areCopyable(known.first, known.end)) {
      known.take(batch, place + this.#slotAt(known.first), place + this.#slotAt(known.end), this.#group);
    }
    this.count++;
  }

  /** Makes the values of some columns those of the row before; false if they have to be added. */
  #copy(place: number, first: number, end: number): boolean {
    const { numbers, levels, stride } = this.batch;
    // The row before is in the columns already.
    if (place === 0) return false;
    if (!this.#areCopyable(first, end)) return false;
    const [from, to] = [this.#slotAt(first), this.#slotAt(end)];
    numbers.copyWithin(place + from, place - stride + from, place - stride + to);
    levels.copyWithin(place + from, place - stride + from, place - stride + to);
    return true;
  }

  /** True if what is put for these columns can be copied to other rows. */
  #areCopyable(first: number, end: number): boolean {
    for (let at = first; at < end; at++) {
      if (this.#cells?.[at]?.values?.isCopyable !== true) return false;
    }
    return true;
  }

  #slotAt(column: number): number {
    return this.#cells?.[column]?.slot ?? this.batch.stride;
  }

  #cellOf(column: ColumnRows): Cell {
    const { builder } = column;
    if (!("leaf" in builder)) return { column, values: undefined, deepest: 0, slot: -1 };
    const { leaf } = builder;
    return { column, values: leaf.values, deepest: leaf.deepest, slot: this.batch.slotOf(leaf) };
  }

  /**
   * Ends a group of rows; returns their values, in the order of the columns. A leaf without levels has nothing in any
   * row.
   */
  end(): readonly Leaf[] {
    this.batch.flush();
    const [first] = this.columns;
    if (this.#names[0] === CAPTURE && this.count > 0) first?.addRows(this.capture, this.count);
    for (const leaf of this.#leaves) leaf.end(this.count);
    return this.#leaves;
  }

  clear(): void {
    for (const leaf of this.#leaves) leaf.clear();
    this.#group = {};
    this.batch.first = 0;
    this.count = 0;
  }
}
