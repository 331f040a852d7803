import type { Field } from "../../schema/language/field.js";
import { Opcode } from "../../schema/language/opcode.js";
import { type Builder, ScalarBuilder } from "../columns/builder.js";
import { listPart } from "./list-part.js";
import { NO_PART, type Part } from "./part.js";
import { scalarPart } from "./scalar-part.js";
import { StructFields } from "./struct-fields.js";

/** Returns what a field is in a column, or in a part of one. @param isRaw true for numbers behind names */
export function partOf(builder: Builder, field: Field, isRaw: boolean): Part {
  if (builder instanceof ScalarBuilder) return scalarPart(builder, field, isRaw);
  if ("element" in builder) return listPart(builder, field, isRaw, partOf);
  if (isRaw || field.opcode !== Opcode.Struct) return NO_PART;
  return { kind: "struct", builder, fields: new StructFields(builder.columns, builder.members, partOf) };
}
