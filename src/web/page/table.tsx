import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { ShowMore, STEP } from "./show-more.js";

/** A column of a table. */
export interface Column<T> {
  readonly title: string;
  /** What the column is sorted by; numbers are aligned to the right. */
  readonly value: (row: T) => string | number;
  /** What is shown of it, if that is something else. */
  readonly cell?: (row: T) => ComponentChildren;
  /** True if it is what the row is about. */
  readonly isHead?: boolean;
}

interface Props<T> {
  readonly title: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
}

interface Order {
  readonly column: number;
  readonly isDescending: boolean;
}

/** A table that can be sorted by each of its columns; at first, it is in the order of its rows. */
export function Table<T>({ title, columns, rows, keyOf }: Props<T>): VNode {
  const [order, setOrder] = useState<Order | undefined>(undefined);
  const [most, setMost] = useState(STEP);
  const sorted = inOrder(rows, columns, order);
  const isFigure = columns.map(({ value }) => rows.length > 0 && rows.every((row) => typeof value(row) === "number"));
  const press = (column: number) => {
    // Of figures, the largest are of interest.
    const first = { column, isDescending: isFigure[column] === true };
    if (order?.column !== column) setOrder(first);
    else
      setOrder(order.isDescending === first.isDescending ? { column, isDescending: !order.isDescending } : undefined);
  };
  return (
    <div class="table-box">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={column.title}
                scope="col"
                class={isFigure[index] === true ? "figure" : ""}
                aria-sort={order?.column !== index ? undefined : order.isDescending ? "descending" : "ascending"}
              >
                {column.title !== "" && (
                  <button type="button" class="sort" title="Sorts by this column" onClick={() => press(index)}>
                    {column.title}
                    <span aria-hidden="true">{order?.column !== index ? "" : order.isDescending ? " ▾" : " ▴"}</span>
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, most).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) => {
                const shown = column.cell?.(row) ?? column.value(row);
                return column.isHead === true ? (
                  <th key={column.title} scope="row">
                    {shown}
                  </th>
                ) : (
                  <td key={column.title} class={isFigure[index] === true ? "figure" : ""}>
                    {shown}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <ShowMore shown={Math.min(most, rows.length)} count={rows.length} onMore={() => setMost(most + STEP)} />
    </div>
  );
}

function inOrder<T>(rows: readonly T[], columns: readonly Column<T>[], order: Order | undefined): readonly T[] {
  const value = order === undefined ? undefined : columns[order.column]?.value;
  if (order === undefined || value === undefined) return rows;
  const sign = order.isDescending ? -1 : 1;
  return [...rows].sort((one, other) => sign * compared(value(one), value(other)));
}

function compared(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one).localeCompare(String(other), "en", { numeric: true });
}
