import { MESSAGE_SCHEMA } from "../writers/schema-names.js";
import { CAPTURE, MESSAGE_LINE, NOTES, OUTCOME, SEVERITY } from "./envelope.js";
import { COUNT, DRAFT, type JsonSchema, list, object, TEXT } from "./terms.js";

/** A message of a capture, or a line of `decode`, as an annotated tree. */
export function treeSchema(): JsonSchema {
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
    schema: MESSAGE_LINE,
    ...CAPTURE,
    message: TEXT,
    ...OUTCOME,
    tree: list({ $ref: "#/$defs/node" }),
    sources: list(object(source, ["id", "kind", "length"])),
    notes: NOTES,
  };
  // Values printed by `decode` do not come from a capture.
  const required = Object.keys(members).filter((name) => !(name in CAPTURE));
  return {
    ...DRAFT,
    title: `${MESSAGE_SCHEMA} as an annotated tree`,
    ...object(members, required),
    dependentRequired: { number: Object.keys(CAPTURE) },
    $defs: { node },
  };
}
