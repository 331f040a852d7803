import { createHash } from "node:crypto";
import { dissectors } from "../../src/index.js";
import { lineSchema, type SchemaKind, schemaKinds } from "../../src/output/json-schema/lines.js";
import type { JsonVersion } from "../../src/output/writers/json-version.js";
import { declarations } from "../../src/reference/declarations.js";
import { type SchemaCheck, schemaCheck } from "./json-schema.js";

/** Beginning of the program's JSON lines; "message" covers everything derived from messages. */
const LINE = /^\{"schema":"moul-dissect\.(\w+)\/(\d)"/;

const made = new Map<string, SchemaCheck>();

/** Digests of lines that are as their schemas say: many tests print the same ones. */
const sound = new Set<string>();

/** The check of one kind of line, made once per process. */
function checkOf(kind: SchemaKind, version: JsonVersion): SchemaCheck {
  const key = `${kind} ${version}`;
  const check = made.get(key) ?? schemaCheck(lineSchema(kind, declarations(dissectors), version));
  made.set(key, check);
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
    const [, name, version] = LINE.exec(text) ?? [];
    if (name === undefined) return [];
    const digest = createHash("sha1").update(text).digest("base64");
    if (sound.has(digest)) return [];
    const line: unknown = JSON.parse(text);
    const kind = typeof line === "object" && line !== null ? kindOf(name, line) : undefined;
    if (kind === undefined) return [`line ${index + 1}: nobody has a schema for ${name}`];
    const problems = checkOf(kind, version === "1" ? 1 : 2)(line);
    if (problems.length === 0) sound.add(digest);
    return problems.map((problem) => `line ${index + 1}: ${problem}`);
  });
}
