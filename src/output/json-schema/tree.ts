import { CURRENT, type JsonVersion } from "../writers/json-version.js";
import { MESSAGE_SCHEMAS } from "../writers/schema-names.js";
import { ALWAYS_KNOWN, CAPTURE, FACTS, messageLine, NOTES, OUTCOME, SEVERITY } from "./envelope.js";
import { COUNT, DRAFT, type JsonSchema, list, object, TEXT } from "./terms.js";

/** A message of a capture, or a line of `decode`, as an annotated tree. */
export function treeSchema(version: JsonVersion = CURRENT): JsonSchema {
  const node = object(
    {
      name: TEXT,
      kind: TEXT,
      class: TEXT,
      value: {},
      label: TEXT,
      start: COUNT,
      end: COUNT,
      source: COUNT,
      children: list({ $ref: "#/$defs/node" }),
      notes: list(object({ severity: SEVERITY, text: TEXT })),
    },
    ["name", "kind", "value", "start", "end", "source"],
  );
  const source = { id: COUNT, kind: { enum: ["message", "assembled", "inflated"] }, length: COUNT, parent: COUNT };
  const members = {
    schema: messageLine(version),
    ...CAPTURE,
    message: TEXT,
    ...OUTCOME,
    tree: list({ $ref: "#/$defs/node" }),
    sources: list(object(source, ["id", "kind", "length"])),
    notes: NOTES,
  };
  // Values printed by `decode` do not come from a capture.
  const required = Object.keys(members).filter((name) => !(name in CAPTURE));
  const { names, misfits, ...facts } = FACTS;
  return {
    ...DRAFT,
    title: `${MESSAGE_SCHEMAS[version]} as an annotated tree`,
    ...object(version === 1 ? members : { ...members, ...facts }, required),
    dependentRequired: { number: [...Object.keys(CAPTURE), ...(version === 1 ? [] : ALWAYS_KNOWN)] },
    $defs: { node },
  };
}
