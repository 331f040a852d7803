import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { declarations } from "../../src/cli/declarations.js";
import { dissectors } from "../../src/index.js";
import { lineSchema, type SchemaKind, schemaKinds } from "../../src/output/json-schema/lines.js";

/** Beginning of the program's JSON lines; "message" covers everything derived from messages. */
const LINE = /^\{"schema":"moul-dissect\.(\w+)\/1"/;

const made = new Map<SchemaKind, ValidateFunction>();

/** The schema of one kind of line, compiled once per process, as that takes a while. */
function schemaOf(kind: SchemaKind): ValidateFunction {
  let validate = made.get(kind);
  if (validate === undefined) {
    const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false, inlineRefs: false });
    validate = ajv.compile(lineSchema(kind, declarations(dissectors)));
    made.set(kind, validate);
  }
  return validate;
}

function kindOf(name: string, line: object): SchemaKind | undefined {
  if (name !== "message") return schemaKinds.find((kind) => kind === name);
  if ("tree" in line) return "tree";
  return "number" in line ? "message" : "value";
}

/** What is wrong with the JSON lines of an output, according to their schemas. Other lines are ignored. */
export function problemsOfLines(output: string): string[] {
  return output.split("\n").flatMap((text, index) => {
    const name = LINE.exec(text)?.[1];
    if (name === undefined) return [];
    const line: unknown = JSON.parse(text);
    const kind = typeof line === "object" && line !== null ? kindOf(name, line) : undefined;
    if (kind === undefined) return [`line ${index + 1}: nobody has a schema for ${name}`];
    const validate = schemaOf(kind);
    if (validate(line)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `line ${index + 1}: ${instancePath} ${message}`);
  });
}
