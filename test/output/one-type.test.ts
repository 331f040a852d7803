import { describe, expect, it } from "vitest";
import { isArray, isObject, type Json } from "../../src/common/json.js";
import { dissectors } from "../../src/index.js";
import { FieldSchemas } from "../../src/output/json-schema/field-schemas.js";
import type { JsonSchema } from "../../src/output/json-schema/terms.js";

/** The messages of a protocol, by its name. */
const protocols = new Map(
  dissectors
    .flatMap(({ messages }) => [...(messages ?? [])])
    .map(([protocol, directions]) => [protocol, Object.values(directions).flat()] as const),
);

/** Collects the JSON types that each path has in some messages, as their JSON Schema says. */
class Types {
  readonly paths = new Map<string, Set<string>>();
  readonly #defs: JsonSchema;
  /** Sets of schemas that have been looked at together: classes contain each other. */
  readonly #seen = new Set<string>();
  readonly #numbers = new Map<JsonSchema, number>();

  constructor(schemas: FieldSchemas, wholes: readonly JsonSchema[]) {
    this.#defs = schemas.$defs;
    this.#visit(wholes, "fields");
  }

  /** The paths with more than one type. */
  get unions(): string[] {
    return [...this.paths]
      .filter(([, types]) => types.size > 1)
      .map(([path, types]) => `${path}: ${[...types].join(" | ")}`);
  }

  #visit(some: readonly JsonSchema[], path: string): void {
    const all = [...new Set(some.flatMap((schema) => this.#simple(schema)))];
    const types = this.paths.get(path) ?? new Set();
    for (const type of all.flatMap(typesOf)) if (type !== "null") types.add(type);
    this.paths.set(path, types);
    const key = all
      .map((schema) => this.#numberOf(schema))
      .sort((a, b) => a - b)
      .join();
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const members = new Map<string, JsonSchema[]>();
    for (const { properties } of all) {
      if (!isObject(properties)) continue;
      for (const [name, member] of Object.entries(properties)) {
        members.set(name, [...(members.get(name) ?? []), ...(isObject(member) ? [member] : [])]);
      }
    }
    for (const [name, schemas] of members) this.#visit(schemas, `${path}.${name}`);
    const elements = all.flatMap(({ items, prefixItems }) => [items, ...(isArray(prefixItems) ? prefixItems : [])]);
    const known = elements.filter((element) => isObject(element));
    if (known.length > 0) this.#visit(known, `${path}[]`);
  }

  /** The alternatives of a schema. */
  #simple(schema: JsonSchema): JsonSchema[] {
    const { $ref, anyOf } = schema;
    if (typeof $ref === "string") {
      const { [$ref.replace("#/$defs/", "")]: target } = this.#defs;
      return isObject(target) ? this.#simple(target) : [];
    }
    return isArray(anyOf) ? anyOf.flatMap((one) => (isObject(one) ? this.#simple(one) : [])) : [schema];
  }

  #numberOf(schema: JsonSchema): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }
}

function typesOf({ type, enum: values, const: only }: JsonSchema): string[] {
  if (isArray(values)) return values.map(typeOf);
  if (only !== undefined) return [typeOf(only)];
  if (isArray(type)) return type.map(String);
  // Whole numbers are numbers.
  return [typeof type === "string" ? type.replace("integer", "number") : "anything"];
}

function typeOf(value: Json): string {
  return value === null ? "null" : typeof value;
}

function unionsOf(protocol: string, version: 1 | 2): string[] {
  const schemas = new FieldSchemas(version);
  const wholes = (protocols.get(protocol) ?? []).map(({ struct }) => schemas.struct(struct));
  return new Types(schemas, wholes).unions;
}

describe("each path has one JSON type in all messages of a protocol", () => {
  it.each([...protocols.keys()])("%s", (protocol) => {
    expect(unionsOf(protocol, 2)).toEqual([]);
  });

  it("which was not so in version 1", () => {
    expect(unionsOf("moul.game", 1).length).toBeGreaterThan(20);
  });
});
