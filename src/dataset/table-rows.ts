import type { Row, Table, Value } from "./table.js";

/** What a value takes in memory beside what it refers to, in bytes; an estimate. */
const CELL = 16;

/** Rows of a table, column by column. */
export class TableRows {
  readonly columns: Value[][];
  readonly #names: readonly string[];
  count = 0;
  /** How much memory the rows take, in bytes; an estimate. */
  size = 0;

  constructor(readonly table: Table) {
    this.#names = table.columns.map(({ name }) => name);
    this.columns = this.#names.map(() => []);
  }

  add(row: Row): void {
    const names = this.#names;
    for (let at = 0; at < names.length; at++) {
      const value = row[names[at] ?? ""] ?? null;
      this.columns[at]?.push(value);
      this.size += sizeOf(value);
    }
    this.count++;
  }

  clear(): void {
    for (const column of this.columns) column.length = 0;
    this.count = 0;
    this.size = 0;
  }
}

function sizeOf(value: Value): number {
  switch (typeof value) {
    case "string":
      return CELL + value.length;
    case "bigint":
      return 2 * CELL;
    case "object": {
      if (value === null) return CELL / 2;
      if (value instanceof Uint8Array) return 8 * CELL + value.length;
      let size = CELL;
      for (const part of Object.values(value)) size += CELL + sizeOf(part);
      return size;
    }
    default:
      return CELL / 2;
  }
}
