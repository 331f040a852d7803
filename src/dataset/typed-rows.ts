import type { FieldTree } from "../schema/language/field-tree.js";
import type { Values } from "./columns/values.js";
import { partOf } from "./plans/part-of.js";
import { Plans } from "./plans/plans.js";
import { RowPlan } from "./plans/row-plan.js";
import { StructFields } from "./plans/struct-fields.js";
import type { Value } from "./table.js";
import type { TableRows } from "./table-rows.js";
import { columnName } from "./typed-tables.js";

/** Where the values of a column go in a batch. */
interface Placed {
  readonly values: Values;
  readonly deepest: number;
  readonly slot: number;
}

/** Rows of the table of a message or class. */
export class TypedRows {
  readonly #plans: Plans<RowPlan>;
  /** The columns that all these tables have. */
  readonly #number: Placed;
  readonly #path: Placed;
  readonly #time: Placed;

  constructor(readonly rows: TableRows) {
    const { columns, table, batch } = rows;
    const builders = columns.map(({ builder }) => builder);
    const fields = new StructFields(table.columns, builders, partOf, columnName);
    this.#plans = new Plans((nodes, node) => new RowPlan(fields, batch, nodes, node));
    const placed = (name: string): Placed => {
      const leaf = columns[table.columns.findIndex((column) => column.name === name)]?.leaves[0];
      if (leaf === undefined) throw new RangeError(`${table.name} has no column ${name}`);
      return { values: leaf.values, deepest: leaf.deepest, slot: batch.slotOf(leaf) };
    };
    this.#number = placed("number");
    this.#path = placed("path");
    this.#time = placed("time");
  }

  /** Adds the row of a struct; false if not all of its values fit the columns. */
  add(number: number, path: string, time: number, nodes: FieldTree, node: number): boolean {
    const { rows } = this;
    const { batch } = rows;
    const plan = this.#plans.of(nodes, node);
    const place = batch.begin();
    const fits = plan.add(nodes, place, rows.count++);
    this.#put(this.#number, number, place);
    this.#put(this.#path, path, place);
    this.#put(this.#time, time, place);
    return fits;
  }

  #put({ values, deepest, slot }: Placed, value: Value, place: number): void {
    const { numbers, levels } = this.rows.batch;
    if (values.put(value, numbers, place + slot)) levels[place + slot] = deepest;
  }
}
