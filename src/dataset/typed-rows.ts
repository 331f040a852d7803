import type { FieldTree } from "../schema/language/field-tree.js";
import { appendField } from "./append-field.js";
import type { ColumnRows } from "./columns/column-rows.js";
import { StructFields } from "./struct-fields.js";
import type { TableRows } from "./table-rows.js";
import { columnName, PLACE } from "./typed-tables.js";

/** Rows of the table of a message or class. */
export class TypedRows {
  readonly #fields: StructFields;
  readonly #place: readonly ColumnRows[];

  constructor(readonly rows: TableRows) {
    const { columns, table } = rows;
    const builders = columns.map(({ builder }) => builder);
    this.#fields = new StructFields(table.columns, builders, appendField, columnName);
    this.#place = columns.slice(0, PLACE.length);
  }

  /** Adds the row of a struct; false if not all of its values fit the columns. */
  add(number: number, path: string, time: number, nodes: FieldTree, node: number): boolean {
    const { rows } = this;
    const row = rows.count++;
    const [, numbers, paths, times] = this.#place;
    numbers?.add(row, number);
    paths?.add(row, path);
    times?.add(row, time);
    let fits = this.#fields.find(nodes, node);
    for (const at of this.#fields.found) {
      const column = rows.columns[at];
      column?.begin(row);
      if (this.#fields.appends[at]?.(nodes, this.#fields.nodes[at] ?? 0, 0) === true) continue;
      column?.revert();
      fits = false;
    }
    return fits;
  }
}
