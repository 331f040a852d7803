import { findingKinds, kindsInOrder } from "../../diagnose/index.js";
import { FINDING_SCHEMA } from "../writers/schema-names.js";
import { COUNT, type JsonSchema, list, object, ofCapture, orNull, POSITIVE, TEXT } from "./terms.js";

/** What `diagnose` found. */
export function findingSchema(): JsonSchema {
  const known = {
    schema: { const: FINDING_SCHEMA },
    kind: { enum: kindsInOrder },
    severity: { enum: [...new Set(Object.values(findingKinds))] },
    text: TEXT,
    protocol: TEXT,
    message: orNull(TEXT),
    what: orNull(TEXT),
    count: POSITIVE,
    examples: list(object({ number: POSITIVE, text: TEXT, count: POSITIVE })),
    filter: TEXT,
    shown: POSITIVE,
  };
  const field = object({ type: TEXT, path: TEXT });
  return ofCapture({ ...known, bytes: COUNT, field, advice: TEXT }, Object.keys(known));
}
