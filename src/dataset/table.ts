import type { Column, ColumnType } from "../schema/columns/column-type.js";

/** The version of all tables: it grows whenever a table, a column or a type changes its meaning. */
export const DATASET_SCHEMA = "moul-dissect.dataset/4";

/** A table: a name, and its columns, which are the same for every capture. */
export interface Table {
  readonly name: string;
  readonly doc: string;
  readonly columns: readonly Column[];
}

/** A text as its bytes, which are valid only until they were taken. */
export class Utf8 {
  constructor(readonly bytes: Uint8Array) {}
}

/** A whole number of 64 bits, as its words. */
export class Words {
  constructor(
    readonly low: number,
    readonly high: number,
  ) {}
}

/** A value in a table; undefined and null are the same. */
export type Value =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | Utf8
  | Words
  | readonly Value[]
  | { readonly [name: string]: Value };

/** A row: values by the names of their columns. */
export type Row = { [name: string]: Value };

/** Returns a column. */
export function column(name: string, kind: ColumnType["kind"] & string, doc = ""): Column {
  if (kind === "list" || kind === "struct") throw new TypeError(`${name}: a ${kind} has to say of what`);
  return { name, type: { kind }, doc };
}

/** Returns a column with lists. */
export function listColumn(name: string, element: ColumnType, doc = ""): Column {
  return { name, type: { kind: "list", element }, doc };
}
