import type { ColumnType } from "../../schema/columns/column-type.js";
import type { Value } from "../table.js";
import { type Builder, builderOf, ScalarBuilder } from "./builder.js";
import type { Memory } from "./growing.js";
import type { Leaf } from "./leaf.js";

/** A column of some rows. Rows that nothing is added to are null. */
export class ColumnRows {
  readonly builder: Builder;
  /** The leaves to which several values may be added before one does not fit. */
  readonly #begun: readonly Leaf[] | undefined;
  /** Rows that are complete. */
  #rows = 0;

  /** @param isUnique true for values that hardly ever repeat */
  constructor(type: ColumnType, memory: Memory, isUnique: boolean) {
    this.builder = builderOf(type, { definition: 0, lists: 0, memory, isUnique });
    this.#begun = this.builder instanceof ScalarBuilder ? undefined : this.builder.leaves;
  }

  /** Begins a row, to which exactly one value has to be added, or which has to be reverted. */
  begin(row: number): void {
    if (row > this.#rows) this.#complete(row);
    this.#rows = row + 1;
    if (this.#begun !== undefined) for (const leaf of this.#begun) leaf.begin();
  }

  /** Adds the value of a row, or null if it does not fit. */
  add(row: number, value: Value): void {
    if (value === undefined || value === null) return;
    this.begin(row);
    if (!this.builder.add(value, 0)) this.revert();
  }

  /** Makes all rows the same text, in a column of texts. */
  addRows(text: string, count: number): void {
    for (const leaf of this.builder.leaves) leaf.addRows(text, count);
    this.#rows = count;
  }

  /** Makes the row that came last null. */
  revert(): void {
    for (const leaf of this.#begun ?? []) leaf.revert();
    for (const leaf of this.builder.leaves) leaf.absentRows(1);
  }

  /** Makes all rows before one complete. A column that nothing was added to stays as it is. */
  end(row: number): void {
    if (this.#rows > 0) this.#complete(row);
  }

  #complete(row: number): void {
    const missing = row - this.#rows;
    if (missing > 0) for (const leaf of this.builder.leaves) leaf.absentRows(missing);
    this.#rows = row;
  }

  clear(): void {
    for (const leaf of this.builder.leaves) leaf.clear();
    this.#rows = 0;
  }
}
