import type { FieldTree } from "../schema/language/field-tree.js";
import { Memory } from "./columns/growing.js";
import { NumberValues } from "./columns/number-values.js";
import type { RowBatch } from "./columns/row-batch.js";
import type { Values } from "./columns/values.js";
import { partOf } from "./plans/part-of.js";
import { Plans } from "./plans/plans.js";
import { RowPlan } from "./plans/row-plan.js";
import { StructFields } from "./plans/struct-fields.js";
import type { TableRows } from "./table-rows.js";
import { columnName } from "./typed-tables.js";

/** Where the values of a column go in a batch. */
interface Placed {
  readonly values: Values;
  readonly deepest: number;
  readonly slot: number;
}

/** What all rows of one message have: its number and time, as the values of their columns have them. */
export class Stamp {
  readonly #memory = new Memory();
  readonly #number = new NumberValues("int64", this.#memory, true);
  readonly #time = new NumberValues("instant", this.#memory, true);
  readonly numbers = new Float64Array(2);
  readonly times = new Float64Array(2);
  hasNumber = false;
  /** False for a time that no clock shows. */
  hasTime = false;

  set(number: number, time: number): void {
    this.hasNumber = this.#number.put(number, this.numbers, 0);
    this.hasTime = this.#time.put(time, this.times, 0);
  }
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
  add(stamp: Stamp, path: string, nodes: FieldTree, node: number): boolean {
    const { rows } = this;
    const { batch } = rows;
    const plan = this.#plans.of(nodes, node);
    const place = batch.begin();
    const fits = plan.add(nodes, place, rows.count++);
    const { numbers, levels } = batch;
    const { values, deepest, slot } = this.#path;
    if (values.put(path, numbers, place + slot)) levels[place + slot] = deepest;
    if (stamp.hasNumber) put(stamp.numbers, this.#number, batch, place);
    if (stamp.hasTime) put(stamp.times, this.#time, batch, place);
    return fits;
  }
}

function put(words: Float64Array, { deepest, slot }: Placed, { numbers, levels }: RowBatch, place: number): void {
  const at = place + slot;
  numbers[at] = words[0] ?? 0;
  numbers[at + 1] = words[1] ?? 0;
  levels[at] = deepest;
}
