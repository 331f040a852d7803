import type { ParquetType, SchemaElement } from "hyparquet";
import type { Column, ColumnType, ScalarType } from "../../schema/columns/column-type.js";

/** How Parquet has single values. */
const SCALARS: Readonly<Record<ScalarType, Omit<SchemaElement, "name" | "type"> & { readonly type: ParquetType }>> = {
  boolean: { type: "BOOLEAN" },
  int32: { type: "INT32" },
  int64: { type: "INT64" },
  uint64: { type: "INT64", converted_type: "UINT_64" },
  float: { type: "FLOAT" },
  double: { type: "DOUBLE" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  bytes: { type: "BYTE_ARRAY" },
  // Without a time zone: DuckDB and Spark then show the same, whatever zone they are set to.
  instant: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" } },
  // As a text: engines differ in what they make of Parquet's JSON.
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

/** Returns the columns of a table as a Parquet schema: a list of elements, parents before what is in them. */
export function parquetSchema(columns: readonly Column[]): SchemaElement[] {
  return [
    { name: "row", num_children: columns.length },
    ...columns.flatMap(({ name, type }) => elementsOf(name, type)),
  ];
}

function elementsOf(name: string, type: ColumnType): SchemaElement[] {
  switch (type.kind) {
    case "list":
      return [
        {
          name,
          repetition_type: "OPTIONAL",
          num_children: 1,
          converted_type: "LIST",
          logical_type: { type: "LIST" },
        },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        ...elementsOf("element", type.element),
      ];
    case "struct":
      return [
        { name, repetition_type: "OPTIONAL", num_children: type.columns.length },
        ...type.columns.flatMap((column) => elementsOf(column.name, column.type)),
      ];
    default:
      return [{ name, repetition_type: "OPTIONAL", ...SCALARS[type.kind] }];
  }
}

/** A column of single values in a Parquet file. */
export interface LeafElement {
  readonly type: ParquetType;
  /** The names that lead to it. */
  readonly path: string[];
}

/** Returns the single values that columns consist of, in the order of the schema. */
export function leavesOf(columns: readonly Column[]): LeafElement[] {
  return columns.flatMap(({ name, type }) => leavesIn(type, [name]));
}

function leavesIn(type: ColumnType, path: readonly string[]): LeafElement[] {
  switch (type.kind) {
    case "list":
      return leavesIn(type.element, [...path, "list", "element"]);
    case "struct":
      return type.columns.flatMap((column) => leavesIn(column.type, [...path, column.name]));
    default:
      return [{ type: SCALARS[type.kind].type, path: [...path] }];
  }
}
