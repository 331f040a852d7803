import type { Column, ColumnType, ScalarType } from "./column-type.js";

/** Numbers, from the narrowest to the widest: each holds all values of those before it, as far as a table needs. */
const NUMBERS: readonly ScalarType[] = ["boolean", "int32", "int64", "uint64", "float", "double"];

/**
 * Returns a type that holds what both hold: the wider of two numbers; a text for a number or a text; a struct with the
 * columns of both; and JSON for what has nothing in common.
 */
export function unified(one: ColumnType, other: ColumnType): ColumnType {
  if (one.kind === "list" && other.kind === "list") {
    return { kind: "list", element: unified(one.element, other.element) };
  }
  if (one.kind === "struct" && other.kind === "struct") {
    return { kind: "struct", columns: unifiedColumns(one.columns, other.columns) };
  }
  if (one.kind === other.kind) return one;
  if (one.kind === "list" || one.kind === "struct" || other.kind === "list" || other.kind === "struct")
    return JSON_TYPE;
  return { kind: unifiedScalar(one.kind, other.kind) };
}

const JSON_TYPE: ColumnType = { kind: "json" };

function unifiedScalar(one: ScalarType, other: ScalarType): ScalarType {
  const [a, b] = [NUMBERS.indexOf(one), NUMBERS.indexOf(other)];
  if (a >= 0 && b >= 0) return NUMBERS[widest(a, b)] ?? "json";
  const isPlain = (type: ScalarType) => type === "text" || NUMBERS.includes(type);
  return isPlain(one) && isPlain(other) ? "text" : "json";
}

/** Of a whole number and a fraction, neither holds the other, unless the fraction has 64 bits. */
function widest(a: number, b: number): number {
  const [least, most] = [Math.min(a, b), Math.max(a, b)];
  const isMixed = NUMBERS[most] === "float" && least > 0;
  return isMixed ? NUMBERS.indexOf("double") : most;
}

/** Returns the columns of both, those of the first in front. Columns whose names differ only in case are one in SQL. */
export function unifiedColumns(one: readonly Column[], other: readonly Column[]): Column[] {
  const columns = [...one];
  for (const column of other) {
    const at = columns.findIndex(({ name }) => name.toLowerCase() === column.name.toLowerCase());
    const known = columns[at];
    if (known === undefined) columns.push(column);
    else columns[at] = { ...known, doc: known.doc || column.doc, type: unified(known.type, column.type) };
  }
  return columns;
}
