import { dissectors } from "../../src/index.js";
import { lineSchema, type SchemaKind, schemaKinds } from "../../src/output/json-schema/lines.js";
import { declarations } from "../../src/reference/declarations.js";
import { type SchemaCheck, schemaCheck } from "./json-schema.js";

/** Beginning of the program's JSON lines; "message" covers everything derived from messages. */
const LINE = /^\{"schema":"moul-dissect\.(\w+)\/1"/;

const made = new Map<SchemaKind, SchemaCheck>();

/** The check of one kind of line, made once per process. */
function checkOf(kind: SchemaKind): SchemaCheck {
  const check = made.get(kind) ?? schemaCheck(lineSchema(kind, declarations(dissectors)));
  made.set(kind, check);
  return check;
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
    return checkOf(kind)(line).map((problem) => `line ${index + 1}: ${problem}`);
  });
}
