import { EXPECTATION_SCHEMA } from "../check/index.js";
import { statuses, toldDirections } from "../dissect/message.js";
import { stretchNames } from "../dissect/stretch.js";
import { Field } from "../schema/field.js";
import { severities } from "../schema/nodes.js";
import type { Struct } from "../schema/struct.js";
import type { Type } from "../schema/type.js";
import { encryptions, keyStates } from "../session/dissector.js";
import { troubles } from "../stats/index.js";
import { anyOf, FieldSchemas, type JsonSchema, object, requiredOf } from "./field-schema.js";

/**
 * What is printed as JSON: messages, values (of `decode`), annotated trees of both, conversations, statistics, differences
 * and expectations (of `check`).
 */
export const schemaKinds = ["message", "value", "tree", "stream", "stats", "difference", "expectation"] as const;
/** One of them. */
export type SchemaKind = (typeof schemaKinds)[number];

/** What the fields of messages and values are described by. */
export interface Declarations {
  readonly messages: readonly Struct[];
  /** Types by the names that `decode` takes. */
  readonly types: ReadonlyMap<string, Type<unknown>>;
}

const DRAFT = { $schema: "https://json-schema.org/draft/2020-12/schema" };
const TEXT = { type: "string" };
const COUNT = { type: "integer", minimum: 0 };
const POSITIVE = { type: "integer", minimum: 1 };
const AMOUNT = { type: ["number", "null"] };
const TIME = {
  type: "string",
  pattern: "^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d|[+-]\\d{6}-.*|@\\d+)\\.\\d{6}(\\d{3})?Z$",
};
const ENDPOINT = { type: "string", pattern: "^(\\d+\\.\\d+\\.\\d+\\.\\d+|\\[[0-9a-f:.]+\\]):\\d+$" };
const TRANSPORT = { enum: ["tcp", "udp"] };
const SEVERITY = { enum: severities };
const SCHEMA = { const: "moul-dissect.message/1" };
/** Of a stretch that is no message: where it is and how long. */
const STRETCH = object({ offset: COUNT, length: COUNT });

const CAPTURE = {
  number: POSITIVE,
  time: TIME,
  frames: list(POSITIVE),
  stream: COUNT,
  transport: TRANSPORT,
  source: ENDPOINT,
  destination: ENDPOINT,
  direction: { enum: toldDirections },
  protocol: TEXT,
};
const OUTCOME = { summary: TEXT, status: { enum: statuses } };
const NOTES = list(object({ severity: SEVERITY, path: TEXT, text: TEXT }));

/** The JSON Schema (draft 2020-12) of a line of output. */
export function lineSchema(kind: SchemaKind, declared: Declarations): JsonSchema {
  switch (kind) {
    case "message":
      return messageSchema(declared, "moul-dissect.message/1", {
        schema: SCHEMA,
        ...CAPTURE,
        message: TEXT,
        ...OUTCOME,
        fields: {},
        notes: NOTES,
      });
    case "value":
      return valueSchema(declared);
    case "tree":
      return treeSchema();
    case "stream":
      return { ...DRAFT, title: "moul-dissect.stream/1", ...streamSchema() };
    case "stats":
      return { ...DRAFT, title: "moul-dissect.stats/1", ...statsSchema() };
    case "difference":
      return { ...DRAFT, title: "moul-dissect.difference/1", ...differenceSchema() };
    case "expectation": {
      const { stream, direction, protocol } = CAPTURE;
      const { status } = OUTCOME;
      const schema = { const: EXPECTATION_SCHEMA };
      const notes = list(object({ severity: SEVERITY, path: TEXT }));
      const envelope = { schema, stream, direction, protocol, message: TEXT, status, fields: {}, notes };
      return messageSchema(declared, EXPECTATION_SCHEMA, envelope);
    }
  }
}

/** The JSON Schema of the fields of one message or type; undefined if there is none of that name. */
export function namedSchema(name: string, { messages, types }: Declarations): JsonSchema | undefined {
  const schemas = new FieldSchemas();
  const structs = messages.filter((struct) => struct.name === name);
  const type = types.get(name);
  if (structs.length === 0 && type === undefined) return undefined;
  const found = structs.map((struct) => schemas.struct(struct));
  const schema = anyOf(type === undefined || structs.length > 0 ? found : [typeSchema(schemas, type, name)]);
  return { ...DRAFT, title: name, ...schema, $defs: schemas.$defs };
}

function messageSchema({ messages }: Declarations, title: string, envelope: JsonSchema): JsonSchema {
  const schemas = new FieldSchemas();
  const byName = new Map<string, JsonSchema[]>(stretchNames.map((name) => [name, [STRETCH]]));
  const required = new Map<string, readonly string[]>();
  for (const struct of messages) {
    const { name } = struct;
    byName.set(name, [...(byName.get(name) ?? []), schemas.struct(struct)]);
    // What all messages of the name have.
    const own = requiredOf(struct);
    required.set(name, required.get(name)?.filter((field) => own.includes(field)) ?? own);
  }
  // A message that nobody has declared has a name of its own, and what is known of its head.
  const undeclared = { properties: { fields: { type: "object" }, status: { not: { const: "ok" } } } };
  return {
    ...DRAFT,
    title,
    ...object(envelope),
    allOf: byMessage(byName, undeclared, required),
    $defs: schemas.$defs,
  };
}

function valueSchema({ types }: Declarations): JsonSchema {
  const schemas = new FieldSchemas();
  const byName = new Map([...types].map(([name, type]) => [name, [typeSchema(schemas, type)]]));
  return {
    ...DRAFT,
    title: "moul-dissect.message/1 as decode prints it",
    ...object({ schema: SCHEMA, message: TEXT, ...OUTCOME, fields: {}, notes: NOTES }),
    allOf: byMessage(byName, { properties: { message: false } }),
    $defs: schemas.$defs,
  };
}

/** @param className lets a class be itself alone; otherwise it is any of its family, as the bytes say */
function typeSchema(schemas: FieldSchemas, { row }: Type<unknown>, className?: string): JsonSchema {
  const { struct, family, base } = row;
  // A struct shows its fields where it is all there is, even where it has a text for them elsewhere.
  if (struct !== undefined) return schemas.struct(struct);
  if (family !== undefined && base !== undefined && family.named(className ?? "") === base)
    return schemas.member(family, base);
  return anyOf([schemas.value(new Field("", row, undefined)), { type: "string", pattern: "^([0-9a-f]{2})*$" }]);
}

/** What `fields` is, by the name of the message; those in `required` are there in a message that is whole. */
function byMessage(
  schemas: ReadonlyMap<string, readonly JsonSchema[]>,
  otherwise: JsonSchema,
  required: ReadonlyMap<string, readonly string[]> = new Map(),
): JsonSchema[] {
  const known = [...schemas].map(([name, some]) => {
    const fields = { properties: { fields: anyOf(some) } };
    const names = required.get(name) ?? [];
    if (names.length === 0) return implied({ message: { const: name } }, fields);
    const whole = implied({ status: { const: "ok" } }, { properties: { fields: { required: names } } });
    return implied({ message: { const: name } }, { ...fields, ...whole });
  });
  return [...known, implied({ message: { not: { enum: [...schemas.keys()] } } }, otherwise)];
}

function implied(properties: JsonSchema, consequence: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: JSON Schema calls it so
  return { if: { properties }, then: consequence };
}

function treeSchema(): JsonSchema {
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
    schema: SCHEMA,
    ...CAPTURE,
    message: TEXT,
    ...OUTCOME,
    tree: list({ $ref: "#/$defs/node" }),
    sources: list(object(source, ["id", "kind", "length"])),
    notes: NOTES,
  };
  // What `decode` prints does not come from a capture.
  const required = Object.keys(members).filter((name) => !(name in CAPTURE));
  return {
    ...DRAFT,
    title: "moul-dissect.message/1 as an annotated tree",
    ...object(members, required),
    dependentRequired: { number: Object.keys(CAPTURE) },
    $defs: { node },
  };
}

function streamSchema(): JsonSchema {
  const gaps = list(object({ offset: COUNT, length: POSITIVE }));
  const sent = object({ packets: COUNT, bytes: COUNT, gaps, sha256: { type: "string", pattern: "^[0-9a-f]{64}$" } });
  return object({
    schema: { const: "moul-dissect.stream/1" },
    stream: COUNT,
    transport: TRANSPORT,
    client: ENDPOINT,
    server: ENDPOINT,
    protocol: { type: ["string", "null"] },
    encryption: { enum: encryptions },
    key: { enum: keyStates },
    keySource: TEXT,
    start: TIME,
    end: TIME,
    c2s: sent,
    s2c: sent,
  });
}

function statsSchema(): JsonSchema {
  const count = { count: COUNT, bytes: COUNT };
  const rated = { ...count, perSecond: AMOUNT };
  const sums = object(count);
  const layer = { packets: COUNT, conversations: COUNT, bytes: COUNT, missing: COUNT, messages: COUNT };
  const party = list(object({ id: TEXT, name: { type: ["string", "null"] }, c2s: sums, s2c: sums }));
  const times = { min: AMOUNT, median: AMOUNT, p95: AMOUNT, max: AMOUNT };
  const latencies = list(object({ request: TEXT, count: COUNT, ...times }));
  return object({
    schema: { const: "moul-dissect.stats/1" },
    complete: { type: "boolean" },
    start: anyOf([TIME, { type: "null" }]),
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
    errors: list(object({ error: TEXT, message: TEXT, count: COUNT })),
    trouble: object(Object.fromEntries(troubles.map((trouble) => [trouble, sums]))),
    timeline: object({ columnSeconds: { type: "number" }, messages: list(COUNT) }),
  });
}

function differenceSchema(): JsonSchema {
  const orNull = (schema: JsonSchema) => anyOf([schema, { type: "null" }]);
  const where = {
    schema: { const: "moul-dissect.difference/1" },
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
  return anyOf([
    object({ ...where, messages: POSITIVE }),
    object({ ...ofMessage, kind: { enum: ["missing", "added", "moved"] } }),
    object({ ...ofMessage, kind: { const: "changed" }, fields }),
  ]);
}

function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}
