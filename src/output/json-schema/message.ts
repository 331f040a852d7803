import { EXPECTATION_SCHEMA, EXPECTED_NODE_SCHEMA } from "../../check/index.js";
import { rangeNames } from "../../dissect/sync/skipped-range.js";
import { Field } from "../../schema/language/field.js";
import type { Struct } from "../../schema/language/struct.js";
import type { Type } from "../../schema/language/type.js";
import { CURRENT, type JsonVersion } from "../writers/json-version.js";
import { MESSAGE_SCHEMAS } from "../writers/schema-names.js";
import { ALWAYS_KNOWN, CAPTURE, FACTS, MISFITS, messageLine, NOTES, OUTCOME, SEVERITY } from "./envelope.js";
import { FieldSchemas, HEX, requiredOf } from "./field-schemas.js";
import { anyOf, COUNT, DRAFT, type JsonSchema, list, object, orNull, TEXT } from "./terms.js";

/** What all dissectors declare, as far as it describes the fields of messages and values. */
export interface AllDeclarations {
  readonly messages: readonly Struct[];
  /** Types by the names that `decode` takes. */
  readonly types: ReadonlyMap<string, Type<unknown>>;
  /** Other forms of some of them. */
  readonly otherReadings: ReadonlyMap<string, Type<unknown>>;
  /** Names of the kinds of private values. */
  readonly sensitive: readonly string[];
}

/** The fields of a range that is not a message: its place and length. */
const RANGE = object({ offset: COUNT, length: COUNT });

/** A message of a capture. */
export function messageSchema(declared: AllDeclarations, version: JsonVersion = CURRENT): JsonSchema {
  const old = { schema: messageLine(version), ...CAPTURE, message: TEXT, ...OUTCOME, fields: {}, notes: NOTES };
  const envelope = version === 1 ? object(old) : object({ ...old, ...FACTS }, [...Object.keys(old), ...ALWAYS_KNOWN]);
  return schemaOf(declared, MESSAGE_SCHEMAS[version], envelope, version);
}

/** What `check` expects of a message, or of a node of the vault. */
export function expectationSchema(declared: AllDeclarations): JsonSchema {
  const { stream, direction, protocol } = CAPTURE;
  const { status } = OUTCOME;
  const schema = { const: EXPECTATION_SCHEMA };
  const notes = list(object({ severity: SEVERITY, path: TEXT }));
  const envelope = { schema, stream, direction, protocol, message: TEXT, status, fields: {}, notes };
  const { $schema: _, title: __, $defs = {}, ...message } = schemaOf(declared, EXPECTATION_SCHEMA, object(envelope), 1);
  return { ...DRAFT, title: `${EXPECTATION_SCHEMA}, ${EXPECTED_NODE_SCHEMA}`, anyOf: [message, expectedNode()], $defs };
}

function expectedNode(): JsonSchema {
  const boolean = { type: "boolean" };
  return object({
    ...{ schema: { const: EXPECTED_NODE_SCHEMA }, id: TEXT, idKind: orNull(TEXT), type: orNull(TEXT) },
    ...{ title: orNull(TEXT), seen: boolean, deleted: boolean, stale: boolean, asked: boolean },
    ...{ fields: { type: "object" }, refersTo: { type: "object", additionalProperties: list(TEXT) } },
    children: list(TEXT),
  });
}

/** A line of `decode`. */
export function valueSchema({ types, otherReadings }: AllDeclarations, version: JsonVersion = CURRENT): JsonSchema {
  const schemas = new FieldSchemas(version);
  const byName = new Map(
    [...types].map(([name, type]) => {
      const other = otherReadings.get(name);
      const forms = [type, ...(other === undefined ? [] : [other])].map((form) => typeSchema(schemas, form));
      // What does not fit even at its beginning is null, and a misfit.
      return [name, version > 1 ? forms.map(orNull) : forms];
    }),
  );
  const envelope = { schema: messageLine(version), message: TEXT, ...OUTCOME, fields: {}, notes: NOTES };
  return {
    ...DRAFT,
    title: `${MESSAGE_SCHEMAS[version]} as decode prints it`,
    ...object({ ...envelope, ...(version > 1 && { misfits: MISFITS }) }, Object.keys(envelope)),
    allOf: byMessage(byName, { properties: { message: false } }),
    $defs: schemas.$defs,
  };
}

/** The JSON Schema of the fields of one message or type; undefined if nothing has that name. */
export function namedSchema(
  name: string,
  { messages, types }: AllDeclarations,
  version: JsonVersion = CURRENT,
): JsonSchema | undefined {
  const schemas = new FieldSchemas(version);
  const structs = messages.filter((struct) => struct.name === name);
  const type = types.get(name);
  if (structs.length === 0 && type === undefined) return undefined;
  const found = structs.map((struct) => schemas.struct(struct));
  const schema = anyOf(type === undefined || structs.length > 0 ? found : [typeSchema(schemas, type, name)]);
  return { ...DRAFT, title: name, ...schema, $defs: schemas.$defs };
}

function schemaOf(
  { messages }: AllDeclarations,
  title: string,
  envelope: JsonSchema,
  version: JsonVersion,
): JsonSchema {
  const schemas = new FieldSchemas(version);
  const byName = new Map<string, JsonSchema[]>(rangeNames.map((name) => [name, [RANGE]]));
  const required = new Map<string, readonly string[]>();
  for (const struct of messages) {
    const { name } = struct;
    byName.set(name, [...(byName.get(name) ?? []), schemas.struct(struct)]);
    // The fields that all messages of the name have.
    const own = requiredOf(struct, version);
    required.set(name, required.get(name)?.filter((field) => own.includes(field)) ?? own);
  }
  // An undeclared message has a name of its own, and the known fields of its head.
  const undeclared = { properties: { fields: { type: "object" }, status: { not: { const: "ok" } } } };
  return {
    ...DRAFT,
    title,
    ...envelope,
    allOf: byMessage(byName, undeclared, required),
    $defs: schemas.$defs,
  };
}

/** @param className accepts this class alone; without it, any class of its family is accepted, as the bytes say */
function typeSchema(schemas: FieldSchemas, { descriptor }: Type<unknown>, className?: string): JsonSchema {
  const { struct, family, base } = descriptor;
  // At the top level, a struct shows its fields even if it has a text for them elsewhere.
  if (struct !== undefined) return schemas.struct(struct);
  if (family !== undefined && base !== undefined && family.named(className ?? "") === base)
    return schemas.member(family, base);
  return anyOf([schemas.value(new Field("", descriptor)), HEX]);
}

/** The schema of `fields` by the name of the message; a complete message has those in `required`. */
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
