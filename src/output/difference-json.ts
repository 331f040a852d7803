import type { Difference, Reference } from "../check/index.js";
import { safeJson } from "./sanitise.js";

/** What was compared with what: names as the user gave them. */
export interface Compared {
  readonly capture: string;
  readonly expectation: string;
}

/** One line of `check --json`. */
export function differenceLine({ capture, expectation }: Compared, difference: Difference): string {
  const { kind, protocol, conversation, streams } = difference;
  const where = { capture, expectation, kind, protocol, conversation };
  const schema = "moul-dissect.difference/1";
  if (!("direction" in difference)) {
    const { expected = null, found = null } = streams;
    const { messages } = difference;
    return `${safeJson({ schema, ...where, expectedStream: expected, foundStream: found, messages })}\n`;
  }
  const { direction, message, classes, before, after } = difference;
  return `${safeJson({
    schema,
    ...where,
    expectedStream: streams.expected ?? null,
    foundStream: streams.found ?? null,
    direction,
    message,
    classes,
    expected: "expected" in difference ? difference.expected : null,
    found: "found" in difference ? difference.found : null,
    before: referenceJson(before),
    after: referenceJson(after),
    ...("fields" in difference && { fields: difference.fields }),
  })}\n`;
}

function referenceJson(reference: Reference | undefined): unknown {
  return reference === undefined
    ? null
    : { number: reference.at, message: reference.message, classes: reference.classes };
}
