import type { Json } from "../../common/json.js";

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: Json };

export const DRAFT = { $schema: "https://json-schema.org/draft/2020-12/schema" };
export const TEXT = { type: "string" };
export const COUNT = { type: "integer", minimum: 0 };
export const POSITIVE = { type: "integer", minimum: 1 };
export const AMOUNT = { type: ["number", "null"] };
export const TIME = {
  type: "string",
  pattern: "^((\\d{4}|[+-]\\d{6})-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d|@-?\\d+)\\.\\d{6}(\\d{3})?Z$",
};
export const ENDPOINT = { type: "string", pattern: "^(\\d+\\.\\d+\\.\\d+\\.\\d+|\\[[0-9a-f:.]+\\]):\\d+$" };
export const TRANSPORT = { enum: ["tcp", "udp"] };

/** An object with these members and no others. */
export function object(properties: JsonSchema, required: readonly string[] = Object.keys(properties)): JsonSchema {
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** Which of several captures it is. */
export const CAPTURE_NAME = object({ name: TEXT, index: COUNT });

/** The same with the capture that it is about, where several are recordings of their own. */
export function ofCapture(properties: JsonSchema, required: readonly string[] = Object.keys(properties)): JsonSchema {
  return object({ ...properties, capture: CAPTURE_NAME }, required);
}

/** An array of values of this schema. */
export function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** A value of this schema, or null. */
export function orNull(schema: JsonSchema): JsonSchema {
  return anyOf([schema, { type: "null" }]);
}

/** Any of these; duplicates are left out. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  const [first, ...others] = different.values();
  return first === undefined || others.length > 0 ? { anyOf: [...different.values()] } : first;
}
