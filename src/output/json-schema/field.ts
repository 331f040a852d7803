import { directions } from "../../network/conversation.js";
import { FIELD_SCHEMA } from "../writers/schema-names.js";
import { type JsonSchema, list, object, TEXT } from "./terms.js";

/**
 * A message, a class, or a field of one, as `fields` prints it; protocol `*` stands for all of them.
 *
 * @param sensitive names of the kinds of private values
 */
export function fieldSchema(sensitive: readonly string[]): JsonSchema {
  const owner = { message: TEXT, directions: list({ enum: directions }), class: TEXT };
  // A number, "rest", or how it follows from other fields.
  const size = { type: ["integer", "string"] };
  const more = {
    base: TEXT,
    inJson: TEXT,
    tag: { type: "integer" },
    when: TEXT,
    bytes: size,
    count: size,
    compressed: TEXT,
    meaning: TEXT,
    doc: TEXT,
    sensitive: list({ enum: sensitive }),
  };
  const always = { schema: { const: FIELD_SCHEMA }, protocol: TEXT, path: TEXT, kind: TEXT };
  return object({ ...always, ...owner, ...more }, Object.keys(always));
}
