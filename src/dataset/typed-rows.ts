import type { FieldTree } from "../schema/language/field-tree.js";
import type { Leaf } from "./columns/leaf.js";
import { NumberValues } from "./columns/number-values.js";
import { partOf } from "./plans/part-of.js";
import { Plans } from "./plans/plans.js";
import { RowPlan } from "./plans/row-plan.js";
import { StructFields } from "./plans/struct-fields.js";
import type { Value } from "./table.js";
import type { TableRows } from "./table-rows.js";
import { columnName, PLACE } from "./typed-tables.js";

/** Rows of the table of a message or class. */
export class TypedRows {
  readonly #plans: Plans<RowPlan>;
  /** The leaves of the columns that all these tables have, and their places. */
  readonly #place: readonly { readonly leaf: Leaf; readonly slot: number }[];

  constructor(readonly rows: TableRows) {
    const { columns, table, batch } = rows;
    const builders = columns.map(({ builder }) => builder);
    const fields = new StructFields(table.columns, builders, partOf, columnName);
    this.#plans = new Plans((nodes, node) => new RowPlan(fields, batch, nodes, node));
    const place = columns.slice(1, PLACE.length).flatMap(({ leaves }) => leaves);
    this.#place = place.map((leaf) => ({ leaf, slot: batch.slotOf(leaf) }));
  }

  /** Adds the row of a struct; false if not all of its values fit the columns. */
  add(number: number, path: string, time: number, nodes: FieldTree, node: number): boolean {
    const { rows } = this;
    const { batch } = rows;
    const plan = this.#plans.of(nodes, node);
    const place = batch.begin();
    const fits = plan.add(nodes, place, rows.count++);
    this.#put(0, number, place);
    this.#put(1, path, place);
    this.#put(2, time, place);
    return fits;
  }

  #put(at: number, value: Value, place: number): void {
    const own = this.#place[at];
    if (own === undefined) return;
    const { leaf, slot } = own;
    const { values } = leaf;
    const { numbers, levels } = this.rows.batch;
    const fits = values instanceof NumberValues ? values.put(value, numbers, place + slot) : values.add(value);
    if (fits) levels[place + slot] = leaf.deepest;
  }
}
