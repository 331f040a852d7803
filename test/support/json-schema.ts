import { Ajv2020 } from "ajv/dist/2020.js";

/** Says what is wrong with a value. */
export type SchemaCheck = (value: unknown) => readonly string[];

/** Compiles a JSON Schema, which takes a while. */
export function schemaCheck(schema: object): SchemaCheck {
  const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false, inlineRefs: false });
  const validate = ajv.compile(schema);
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
