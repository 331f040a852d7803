import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** Says what is wrong with a value. */
export type SchemaCheck = (value: unknown) => readonly string[];

// To optimise the code takes longer than to run it as it is. That schemas are valid is checked where they are whole.
const OPTIONS = { allowUnionTypes: true, strictTypes: false, inlineRefs: false, code: { optimize: false } };

const made = new Map<string, SchemaCheck>();

/**
 * The check of a JSON Schema, made once for all that need it. Where the schema says something about each of hundreds of
 * messages, only what concerns the message of a value is compiled and applied.
 */
export function schemaCheck(schema: object): SchemaCheck {
  const text = JSON.stringify(schema);
  const check = made.get(text) ?? checkByMessage(schema);
  made.set(text, check);
  return check;
}

/** Compiles a JSON Schema as a whole, which takes a while. */
export function wholeSchemaCheck(schema: object): SchemaCheck {
  const validate = new Ajv2020(OPTIONS).compile(schema);
  return (value) => problemsOf(value, validate);
}

function checkByMessage(schema: { readonly allOf?: readonly unknown[] }): SchemaCheck {
  const { allOf = [], ...rest } = schema;
  const ajv = new Ajv2020({ ...OPTIONS, validateSchema: false }).addSchema({ ...schema, $id: "whole" });
  const validateRest = ajv.compile({ ...rest, $id: "rest" });
  const parts = new Map<unknown, string[]>();
  for (const [index, part] of allOf.entries()) {
    const message = onlyMessage(part);
    parts.set(message, [...(parts.get(message) ?? []), `whole#/allOf/${index}`]);
  }
  return (value) => {
    const { message } = Object(value);
    // Without a message, all conditions on it are met.
    const names = message === undefined ? [...parts.keys()] : [message, undefined];
    const applied = names.flatMap((name) => parts.get(name) ?? []).map((ref) => ajv.getSchema(ref) ?? missing(ref));
    return [validateRest, ...applied].flatMap((validate) => problemsOf(value, validate));
  };
}

function missing(ref: string): never {
  throw new Error(`the schema has no ${ref}`);
}

/** The message that a part of a schema is about; undefined if it may be about any. */
function onlyMessage(part: unknown): unknown {
  const { if: condition, else: otherwise } = Object(part);
  return otherwise === undefined ? condition?.properties?.message?.const : undefined;
}

function problemsOf(value: unknown, validate: ValidateFunction): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
