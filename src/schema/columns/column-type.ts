/** The types of single values in a table. */
export type ScalarType =
  | "boolean"
  /** Whole numbers of up to 32 bits, signed. */
  | "int32"
  | "int64"
  | "uint64"
  | "float"
  | "double"
  | "text"
  | "bytes"
  /** A point in time, in microseconds since 1970 (UTC). */
  | "instant"
  /** Anything, as JSON in a text. */
  | "json";

/** The type of a column. Every value may be null. */
export type ColumnType =
  | { readonly kind: ScalarType }
  | { readonly kind: "list"; readonly element: ColumnType }
  | { readonly kind: "struct"; readonly columns: readonly Column[] };

/** A column of a table, or of a struct in one. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** What it says; empty if its name says enough. */
  readonly doc: string;
}

/** How the numbers behind names are called: `result` has the name, `result_raw` the number on the wire. */
export function rawName(name: string): string {
  return `${name}_raw`;
}

/** Returns the type as people write it: `list<struct<a: int32>>`. */
export function typeText(type: ColumnType): string {
  switch (type.kind) {
    case "list":
      return `list<${typeText(type.element)}>`;
    case "struct":
      return `struct<${type.columns.map(({ name, type: own }) => `${name}: ${typeText(own)}`).join(", ")}>`;
    default:
      return type.kind;
  }
}
