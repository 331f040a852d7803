import type { ColumnType } from "../schema/columns/column-type.js";
import type { Value } from "./table.js";

/** Returns a derived value, as JSON has it, for a column; undefined if it does not fit. */
export function fromJson(type: ColumnType, json: unknown): Value {
  if (json === null) return null;
  switch (type.kind) {
    case "json":
      return JSON.stringify(json);
    case "list":
      return Array.isArray(json) ? json.map((element) => fromJson(type.element, element)) : undefined;
    case "int64":
    case "uint64":
      return typeof json === "number" && Number.isInteger(json) ? json : undefined;
    case "text":
      return typeof json === "string" ? json : JSON.stringify(json);
    default:
      return typeof json === "number" || typeof json === "boolean" || typeof json === "string" ? json : undefined;
  }
}
