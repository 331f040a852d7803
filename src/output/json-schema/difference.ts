import { DIFFERENCE_SCHEMA } from "../writers/schema-names.js";
import { CAPTURE } from "./envelope.js";
import { anyOf, COUNT, type JsonSchema, list, object, orNull, POSITIVE, TEXT } from "./terms.js";

/** A difference that `check` found. */
export function differenceSchema(): JsonSchema {
  const where = {
    schema: { const: DIFFERENCE_SCHEMA },
    capture: TEXT,
    expectation: TEXT,
    kind: { enum: ["missing conversation", "added conversation"] },
    protocol: TEXT,
    conversation: POSITIVE,
    expectedStream: orNull(COUNT),
    foundStream: orNull(COUNT),
  };
  const named = { message: TEXT, classes: list(TEXT) };
  const neighbour = orNull(object({ number: POSITIVE, ...named }));
  const fields = list(object({ path: TEXT, expected: {}, found: {}, elsewhere: {} }, ["path"]));
  const expected = orNull(POSITIVE);
  const ofMessage = {
    ...where,
    direction: CAPTURE.direction,
    ...named,
    expected,
    found: expected,
    before: neighbour,
    after: neighbour,
  };
  const node = object({ id: TEXT, type: orNull(TEXT), title: orNull(TEXT), line: expected });
  const { schema, capture, expectation } = where;
  const ofNode = { schema, capture, expectation, expected: node, found: node, parents: list(node) };
  const none = { type: "null" };
  return anyOf([
    object({ ...where, messages: POSITIVE }),
    object({ ...ofMessage, kind: { enum: ["missing", "added", "moved"] } }),
    object({ ...ofMessage, kind: { const: "changed" }, fields }),
    object({ ...ofNode, kind: { const: "missing node" }, found: none }),
    object({ ...ofNode, kind: { const: "added node" }, expected: none }),
    object({ schema, capture, expectation, kind: { const: "changed node" }, expected: node, found: node, fields }),
  ]);
}
