import type { ColumnType } from "../../schema/columns/column-type.js";
import type { Value } from "../table.js";
import { type Builder, builderOf } from "./builder.js";
import type { Memory } from "./growing.js";
import type { Leaf } from "./leaf.js";

/** A column of some rows. Rows that nothing is added to are null. */
export class ColumnRows {
  readonly builder: Builder;
  readonly leaves: readonly Leaf[];

  /** @param isUnique true for values that hardly ever repeat */
  constructor(type: ColumnType, memory: Memory, isUnique: boolean) {
    this.builder = builderOf(type, { definition: 0, lists: 0, memory, isUnique });
    this.leaves = this.builder.leaves;
  }

  /** Adds the value of a row, or null if it does not fit. */
  add(row: number, value: Value): void {
    if (value === undefined || value === null) return;
    const { builder, leaves } = this;
    for (let at = 0; at < leaves.length; at++) leaves[at]?.begin(row);
    if (builder.add(value, 0)) return;
    for (const leaf of leaves) leaf.revert();
  }

  /** Makes all rows the same text, in a column of texts. */
  addRows(text: string, count: number): void {
    for (const leaf of this.leaves) leaf.addRows(text, count);
  }
}
