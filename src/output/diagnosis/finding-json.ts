import { type Finding, findingKinds } from "../../diagnose/index.js";
import { safeJson } from "../writers/sanitise.js";
import { FINDING_SCHEMA } from "../writers/schema-names.js";
import { findingText } from "./finding-words.js";

/** One line of `diagnose --json`. */
export function findingLine(finding: Finding): string {
  const { kind, protocol, message, what, count, bytes, examples, field, filter, shown, advice } = finding;
  return `${safeJson({
    schema: FINDING_SCHEMA,
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
