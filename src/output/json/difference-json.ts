import { type Difference, isOfNode, type NodeReference, type Reference } from "../../check/index.js";
import { safeJson } from "../writers/sanitise.js";
import { DIFFERENCE_SCHEMA } from "../writers/schema-names.js";

/** What was compared with what, by the names that the user gave. */
interface Compared {
  readonly capture: string;
  readonly expectation: string;
}

/** One line of `check --json`. */
export function differenceLine({ capture, expectation }: Compared, difference: Difference): string {
  if (isOfNode(difference)) {
    const { kind } = difference;
    return `${safeJson({
      ...{ schema: DIFFERENCE_SCHEMA, capture, expectation, kind },
      expected: "expected" in difference ? nodeJson(difference.expected) : null,
      found: "found" in difference ? nodeJson(difference.found) : null,
      ...("parents" in difference && { parents: difference.parents.map(nodeJson) }),
      ...("fields" in difference && { fields: difference.fields }),
    })}\n`;
  }
  const { kind, protocol, conversation, streams } = difference;
  const where = {
    schema: DIFFERENCE_SCHEMA,
    capture,
    expectation,
    kind,
    protocol,
    conversation,
    expectedStream: streams.expected ?? null,
    foundStream: streams.found ?? null,
  };
  if (!("direction" in difference)) return `${safeJson({ ...where, messages: difference.messages })}\n`;
  const { direction, message, classes, before, after } = difference;
  return `${safeJson({
    ...where,
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
  if (reference === undefined) return null;
  const { at, message, classes } = reference;
  return { number: at, message, classes };
}

function nodeJson({ id, type, title, line }: NodeReference): unknown {
  return { id, type: type || null, title: title || null, line: line ?? null };
}
