import { isObject, type Json } from "../../common/json.js";
import type { Derived } from "../language/derived.js";
import type { Field } from "../language/field.js";
import { isBoolean, isFloat, Opcode, rangeOf } from "../language/opcode.js";
import type { Struct } from "../language/struct.js";
import { alternativesIn } from "./alternatives.js";
import { type Column, type ColumnType, rawName } from "./column-type.js";
import { unified, unifiedColumns } from "./unify.js";

/** How deep lists and structs are nested in a column: what is deeper is JSON in a text. */
export const DEEPEST = 6;

const TEXT: ColumnType = { kind: "text" };
const JSON_TYPE: ColumnType = { kind: "json" };

/** Returns the columns for the fields and derived values of a struct. */
export function columnsOf(struct: Struct, depth = 0): Column[] {
  let columns: Column[] = [];
  for (const field of struct.fields) columns = unifiedColumns(columns, columnsOfField(field, depth));
  for (const derived of struct.derived) columns = unifiedColumns(columns, [derivedColumn(derived)]);
  return columns;
}

/** Returns the columns for a field: those of each name that it may have in JSON, as its alternatives have their own. */
function columnsOfField(field: Field, depth: number): Column[] {
  const { jsonName, doc } = field;
  const alternatives = alternativesIn(field);
  const names = new Set([jsonName, ...alternatives.map((one) => one.jsonName)]);
  if (names.size < 2) return columnsNamed(jsonName, doc, typesOf(field, depth));
  return [...names].flatMap((name) => {
    const own = alternatives.filter((one) => one.jsonName === name);
    return columnsNamed(name, doc, together(own, depth));
  });
}

/** One column, two if a number has a name, none if there never is a value. */
function columnsNamed(name: string, doc: string, { value, raw }: FieldTypes): Column[] {
  const columns = value === undefined ? [] : [{ name, doc, type: value }];
  return raw === undefined ? columns : [...columns, { name: rawName(name), doc: "", type: raw }];
}

/** The types of the value that a field shows, and of the number behind it, if they differ. */
interface FieldTypes {
  readonly value: ColumnType | undefined;
  readonly raw?: ColumnType | undefined;
}

function typesOf(field: Field, depth: number): FieldTypes {
  const { opcode, inner, elements, alternatives, otherForm, struct } = field;
  if (depth >= DEEPEST && (struct !== undefined || inner !== undefined || elements.length > 0)) {
    return { value: JSON_TYPE };
  }
  switch (opcode) {
    case Opcode.Struct:
      return { value: struct && structType(struct, depth) };
    case Opcode.Polymorphic:
      return { value: TEXT };
    case Opcode.Array:
      return listOf(inner === undefined ? { value: JSON_TYPE } : typesOf(inner, depth + 1));
    case Opcode.Tuple:
      return listOf(together(elements, depth + 1));
    case Opcode.Region:
      if (inner === undefined) return { value: { kind: "bytes" } };
      return together(otherForm === undefined ? [inner] : [inner, otherForm.content], depth);
    case Opcode.Choice:
      return together(alternatives, depth);
    case Opcode.Resolved:
      return { value: JSON_TYPE };
    default:
      return leafTypes(field);
  }
}

function structType(struct: Struct, depth: number): ColumnType | undefined {
  if (struct.shownAs !== undefined) return TEXT;
  const columns = columnsOf(struct, depth + 1);
  return columns.length === 0 ? undefined : { kind: "struct", columns };
}

function listOf({ value, raw }: FieldTypes): FieldTypes {
  return {
    value: value && { kind: "list", element: value },
    raw: raw && { kind: "list", element: raw },
  };
}

/** One type for several that may stand in the same place. */
function together(fields: readonly Field[], depth: number): FieldTypes {
  const types = fields.map((field) => typesOf(field, depth));
  const both = (all: readonly (ColumnType | undefined)[]) => all.filter((type) => type !== undefined).reduce(unifiedOr);
  const values = types.map(({ value }) => value).filter((type) => type !== undefined);
  const raws = types.map(({ raw }) => raw).filter((type) => type !== undefined);
  const value = values.length === 0 ? undefined : both(values);
  const hasRaws = raws.length > 0 && value?.kind !== "json";
  return { value, ...(hasRaws && { raw: both(raws) }) };
}

const unifiedOr = (one: ColumnType, other: ColumnType): ColumnType => unified(one, other);

function leafTypes(field: Field): FieldTypes {
  const raw = rawType(field);
  switch (field.meaning?.form) {
    case "enumeration":
    case "text":
      return { value: TEXT, raw };
    case "flags":
      return { value: { kind: "list", element: TEXT }, raw };
    default:
      return { value: raw };
  }
}

function rawType(field: Field): ColumnType {
  const { opcode, codec, width } = field;
  if (isBoolean(opcode)) return { kind: "boolean" };
  if (isFloat(opcode)) return { kind: width === 4 ? "float" : "double" };
  switch (opcode) {
    case Opcode.U64LE:
    case Opcode.U64BE:
      return { kind: "uint64" };
    case Opcode.I64LE:
    case Opcode.I64BE:
      return { kind: "int64" };
    case Opcode.Uuid:
    case Opcode.FixedText:
    case Opcode.Text:
      return TEXT;
    case Opcode.Bytes:
    case Opcode.FixedBytes:
      return { kind: "bytes" };
    case Opcode.Codec:
      // Only the codec knows what it reads.
      return codec?.isWholeNumber === true ? { kind: "int64" } : TEXT;
    default:
      return { kind: rangeOf(field).greatest < 2 ** 31 ? "int32" : "int64" };
  }
}

function derivedColumn({ name, doc, schema }: Derived): Column {
  return { name, doc, type: typeOfSchema(schema) };
}

function typeOfSchema(schema: Json): ColumnType {
  if (!isObject(schema)) return JSON_TYPE;
  const { type, items } = schema;
  switch (type) {
    case "boolean":
      return { kind: "boolean" };
    case "integer":
      return { kind: "int64" };
    case "number":
      return { kind: "double" };
    case "string":
      return TEXT;
    case "array":
      return { kind: "list", element: items === undefined ? JSON_TYPE : elementOfSchema(items) };
    default:
      return JSON_TYPE;
  }
}

/** Names and numbers in one list become texts. */
function elementOfSchema(items: Json): ColumnType {
  if (isObject(items) && Array.isArray(items["anyOf"])) return TEXT;
  return typeOfSchema(items);
}
