import { troubles } from "../../stats/index.js";
import { STATS_SCHEMA } from "../writers/schema-names.js";
import { AMOUNT, COUNT, type JsonSchema, list, object, ofCapture, orNull, POSITIVE, TEXT, TIME } from "./terms.js";

/** What `stats` prints. */
export function statsSchema(): JsonSchema {
  const count = { count: COUNT, bytes: COUNT };
  const rated = { ...count, perSecond: AMOUNT };
  const sums = object(count);
  const layer = { packets: COUNT, conversations: COUNT, bytes: COUNT, missing: COUNT, messages: COUNT };
  const name = { type: ["string", "null"] };
  const ofParty = { dissector: TEXT, kind: TEXT, id: TEXT, name, c2s: sums, s2c: sums };
  const party = list(object({ ...ofParty, scope: TEXT }, Object.keys(ofParty)));
  const times = { min: AMOUNT, median: AMOUNT, p95: AMOUNT, max: AMOUNT };
  const latencies = list(object({ protocol: TEXT, request: TEXT, count: COUNT, ...times }));
  const known = {
    schema: { const: STATS_SCHEMA },
    complete: { type: "boolean" },
    start: orNull(TIME),
    seconds: AMOUNT,
    messages: object(rated),
    hierarchy: list(object({ depth: COUNT, name: TEXT, ...layer }, ["depth", "name"])),
    limits: { type: "object", additionalProperties: COUNT },
    types: list(object({ protocol: TEXT, message: TEXT, ...rated })),
    classes: list(object({ class: TEXT, ...rated })),
    players: party,
    ages: party,
    latencies,
    pings: latencies,
    unanswered: orNull(list(object({ protocol: TEXT, request: TEXT, count: COUNT, numbers: list(COUNT) }))),
    errors: list(object({ protocol: TEXT, error: TEXT, message: TEXT, count: COUNT })),
    trouble: object(Object.fromEntries(troubles.map((trouble) => [trouble, sums]))),
    timeline: object({ columnSeconds: { type: "number" }, messages: list(COUNT) }),
  };
  // Only if there is any.
  return ofCapture({ ...known, unaccepted: POSITIVE }, Object.keys(known));
}
