import { PART_SCHEMA } from "../writers/schema-names.js";
import { COUNT, type JsonSchema, object, POSITIVE, TEXT } from "./terms.js";

/** A part of a capture: a line of `split`. */
export function partSchema(): JsonSchema {
  return object({ schema: { const: PART_SCHEMA }, file: TEXT, conversations: COUNT, packets: POSITIVE });
}
