import { Memory } from "./columns/growing.js";
import type { Table } from "./table.js";
import { type RowsPart, TableRows } from "./table-rows.js";

/** Takes the rows of tables, some at a time; they are valid only during the call. */
export type RowSink = (rows: TableRows) => void;

/** Rows of one capture that have not been passed on yet. */
export class HeldRows {
  readonly #memory = new Memory();
  readonly #held = new Map<Table, TableRows>();

  /** @param capture its digest */
  constructor(
    readonly capture: string,
    readonly sink: RowSink,
  ) {}

  of(table: Table): TableRows {
    let rows = this.#held.get(table);
    if (rows === undefined) {
      rows = new TableRows(table, this.capture, this.#memory);
      this.#held.set(table, rows);
    }
    return rows;
  }

  /** All rows as plain data, which is valid until there are others. */
  get parts(): RowsPart[] {
    return [...this.#held.values()].filter(({ count }) => count > 0).map(({ part }) => part);
  }

  /** Passes on the rows of tables that have many, and of the largest tables, until what is held is not too much. */
  flushIfMany({ groupRows, heldBytes }: { readonly groupRows: number; readonly heldBytes: number }): void {
    const sizes: { rows: TableRows; size: number }[] = [];
    let total = 0;
    for (const rows of this.#held.values()) {
      if (rows.count >= groupRows) this.#flush(rows);
      const { size } = rows;
      sizes.push({ rows, size });
      total += size;
    }
    if (total <= heldBytes) return;
    // Of two that are equally large, which one must not depend on which table came first.
    sizes.sort((one, other) => other.size - one.size || (one.rows.table.name < other.rows.table.name ? -1 : 1));
    for (const { rows, size } of sizes) {
      if (total <= heldBytes) return;
      this.#flush(rows);
      total -= size;
    }
  }

  /** Passes on all rows. */
  flush(): void {
    for (const rows of this.#held.values()) this.#flush(rows);
  }

  /** Takes all rows away. */
  clear(): void {
    for (const rows of this.#held.values()) if (rows.count > 0) rows.clear();
  }

  #flush(rows: TableRows): void {
    if (rows.count === 0) return;
    this.sink(rows);
    rows.clear();
  }
}
