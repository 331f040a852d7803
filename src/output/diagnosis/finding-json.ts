import { type Finding, findingKinds } from "../../diagnose/index.js";
import type { CaptureName } from "../writers/capture-name.js";
import { safeJson } from "../writers/sanitise.js";
import { FINDING_SCHEMA } from "../writers/schema-names.js";
import { findingText } from "./finding-words.js";

/** One line of `diagnose --json`. */
export function findingLine(finding: Finding, capture?: CaptureName): string {
  const { kind, protocol, message, what, count, bytes, examples, field, filter, shown, advice } = finding;
  return `${safeJson({
    schema: FINDING_SCHEMA,
    ...(capture && { capture }),
    kind,
    severity: findingKinds[kind],
    text: findingText(finding),
    protocol,
    message: message === "" ? null : message,
    what: what === "" ? null : what,
    count,
    ...(bytes !== undefined && { bytes }),
    examples,
    ...(field && { field }),
    filter,
    shown,
    ...(advice !== undefined && { advice }),
  })}\n`;
}
