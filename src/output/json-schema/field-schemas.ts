import { isObject, type Json } from "../../common/json.js";
import { alternativesIn } from "../../schema/columns/alternatives.js";
import type { Codec } from "../../schema/language/codec.js";
import type { Family } from "../../schema/language/family.js";
import type { Field } from "../../schema/language/field.js";
import type { Meaning } from "../../schema/language/meaning.js";
import { has64Bits, isBoolean, isFloat, isSmallWhole, Opcode, rangeOf } from "../../schema/language/opcode.js";
import type { Struct } from "../../schema/language/struct.js";
import { flagsSchema } from "../../schema/words/derived-flags.js";
import { isTextual } from "../writers/json-type.js";
import { CURRENT, type JsonVersion } from "../writers/json-version.js";
import { anyOf, type JsonSchema, object, orNull } from "./terms.js";

export const HEX = { type: "string", pattern: "^([0-9a-f]{2})*$" };
const UUID = { type: "string", pattern: "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$" };
const LARGE = { type: "string", pattern: "^-?[0-9]+$" };
const FLOAT = {
  1: { anyOf: [{ type: "number" }, { enum: ["NaN", "Infinity", "-Infinity"] }] },
  // Null if it is not finite.
  2: { type: ["number", "null"] },
};
/** Bytes that could not be dissected, in place of something else that was expected. */
const UNDISSECTED: JsonSchema = { ...HEX, description: "Bytes that could not be dissected." };

/**
 * Builds the JSON Schemas of declared types, as `fieldJson` writes their values. Each class is in `$defs` once, so that
 * a class may refer to itself.
 *
 * No field is required in them: where a message is cut off or breaks the format, the fields after that are absent.
 */
export class FieldSchemas {
  readonly #definitions = new Map<string, JsonSchema>();
  readonly #names = new Map<unknown, Map<string, string>>();

  constructor(readonly version: JsonVersion) {}

  /** The definitions referred to, by name. */
  get $defs(): JsonSchema {
    return Object.fromEntries([...this.#definitions].sort(([a], [b]) => Number(a > b) - Number(a < b)));
  }

  /** The fields of a message or class. */
  struct(struct: Struct): JsonSchema {
    if (struct.name === "") return this.#members(struct);
    return this.#defined(struct, "", struct.name, () => this.#members(struct));
  }

  /** The value of a field. */
  value(field: Field): JsonSchema {
    const schema = this.#ofType(field);
    // A description beside $ref would describe the reference.
    return field.doc === "" || schema["description"] !== undefined ? schema : { ...schema, description: field.doc };
  }

  #ofType(field: Field): JsonSchema {
    const { opcode, struct, inner, family } = field;
    switch (opcode) {
      case Opcode.Struct: {
        if (struct === undefined) return {};
        if (struct.fields.length === 0) return { type: "null" };
        if (struct.shownAs === undefined) return this.struct(struct);
        if (this.version > 1) return { type: ["string", "null"] };
        return { anyOf: [{ type: "string" }, this.struct(struct)] };
      }
      case Opcode.Polymorphic:
        return family === undefined ? {} : this.family(family);
      case Opcode.Array:
        return { type: "array", items: inner === undefined ? {} : this.#orUndissected([inner]) };
      case Opcode.Tuple: {
        const prefixItems = field.elements.map((element) => this.#orUndissected([element], field.elements));
        // An empty list of schemas is not allowed.
        return { type: "array", ...(prefixItems.length > 0 && { prefixItems }), maxItems: prefixItems.length };
      }
      case Opcode.Region:
        if (inner === undefined) return HEX;
        return this.#orUndissected(field.otherForm === undefined ? [inner] : [inner, field.otherForm.content]);
      case Opcode.Choice:
        return this.#orUndissected(field.alternatives);
      case Opcode.Resolved:
        // Its type depends on files that are read at run time; where structs are declared for it, it is one.
        if (this.version === 1 || field.candidates.length + field.parts.length === 0) return {};
        return { type: ["object", "null"] };
      default:
        return leafSchema(field, this.version);
    }
  }

  /** Values of a family of classes: one of them, null, or an undeclared class. */
  family(family: Family): JsonSchema {
    return this.#defined(family, "", family.name, () => {
      const classes = [...family.classes()];
      const tag = { [family.tagName]: leafSchema(family.tagField, this.version) };
      const known = classes.map((struct) => this.member(family, struct));
      const names = classes.map(({ name }) => name).filter((name) => name !== "");
      const undeclared = object(
        {
          ...(!family.closed && { class: this.#undeclaredClass(family, names) }),
          ...tag,
          undissected: UNDISSECTED,
        },
        family.closed ? [family.tagName] : ["class", family.tagName],
      );
      return anyOf([...(family.nullTag === undefined ? [] : [{ type: "null" }]), ...known, undeclared]);
    });
  }

  /** The name of a class that is not declared: it may be known, or stand for a tag. */
  #undeclaredClass(family: Family, declared: readonly string[]): JsonSchema {
    const any = { type: "string", ...(declared.length > 0 && { not: { enum: [...declared] } }) };
    const known = [...new Set(family.names.values())].filter((name) => !declared.includes(name));
    return this.version === 1 || known.length === 0 ? any : anyOf([{ enum: known }, any]);
  }

  /** A class as a member of a family: with its name and tag. */
  member(family: Family, struct: Struct): JsonSchema {
    const { name, tag } = struct;
    return this.#defined(struct, family.name, `${family.name}.${name === "" ? tag : name}`, () => {
      const before = {
        ...(name !== "" && { class: { const: name } }),
        [family.tagName]: tagSchema(family.tagField, tag, this.version),
      };
      return this.#members(struct, before);
    });
  }

  #members(struct: Struct, before: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
    const fields = this.version === 1 ? struct.fields.map((field) => this.#named(field)) : this.#byJsonName(struct);
    const derived = struct.derived.map(({ name, schema, doc, names }): [string, JsonSchema] => {
      const own = isObject(schema) ? schema : {};
      return [name, { ...(this.version > 1 && names !== undefined ? withoutNumbers(own) : own), description: doc }];
    });
    const members = { ...before, ...Object.fromEntries([...fields, ...derived]), undissected: UNDISSECTED };
    const schema = object(members, Object.keys(before));
    return struct.doc === "" ? schema : { description: struct.doc, ...schema };
  }

  #named(field: Field): [string, JsonSchema] {
    return [field.name, this.value(field)];
  }

  /** The fields by their names in JSON: the alternatives of a choice may have different ones. */
  #byJsonName(struct: Struct): [string, JsonSchema][] {
    return struct.fields.flatMap((field): [string, JsonSchema][] => {
      const named = alternativesIn(field);
      const names = new Set([field, ...named].map(({ jsonName }) => jsonName));
      if (names.size < 2) return [[field.jsonName, this.value(field)]];
      return [...names].map((name): [string, JsonSchema] => {
        const own = named.filter(({ jsonName }) => jsonName === name);
        const schema = own.length === 0 ? { type: "null" } : anyOf(own.map((one) => this.#ofType(one)));
        // Bytes that could not be dissected have the name of the field itself.
        const whole = name === field.jsonName ? orNull(schema) : schema;
        return [name, field.doc === "" ? whole : { ...whole, description: field.doc }];
      });
    });
  }

  /** Bytes in place of a value: in version 2 null, unless a text is expected anyway. */
  #orUndissected(declared: readonly Field[], neighbours = declared): JsonSchema {
    const schemas = declared.map((one) => this.#ofType(one));
    if (this.version === 1 || neighbours.every(isTextual)) return anyOf([...schemas, UNDISSECTED]);
    return orNull(anyOf(schemas));
  }

  /** A reference to a definition, which is made on first use. Different things of the same name are numbered. */
  #defined(what: unknown, role: string, name: string, make: () => JsonSchema): JsonSchema {
    const roles = this.#names.get(what) ?? new Map<string, string>();
    this.#names.set(what, roles);
    let own = roles.get(role);
    if (own === undefined) {
      // It becomes part of a URI.
      const word = name.replaceAll(/[^\w.-]/g, "-");
      own = word;
      for (let number = 2; this.#definitions.has(own); number++) own = `${word}.${number}`;
      roles.set(role, own);
      // The name is taken before the schema is made, which may refer to itself.
      this.#definitions.set(own, {});
      this.#definitions.set(own, make());
    }
    return { $ref: `#/$defs/${own}` };
  }
}

/** The fields that every complete message has. A field that may have no bytes may be absent. */
export function requiredOf({ fields }: Struct, version: JsonVersion): string[] {
  const sure = fields.filter((field) => field.conditions.length === 0 && isSure(field));
  return sure.map(({ name, jsonName }) => (version === 1 ? name : jsonName));
}

/** The schema of a derived value whose numbers are texts, too. */
function withoutNumbers(schema: JsonSchema): JsonSchema {
  const { anyOf: some, items, type } = schema;
  // The names, or a number as text.
  if (Array.isArray(some)) return { anyOf: some.map((one: Json) => (isObject(one) ? withoutNumbers(one) : one)) };
  if (isObject(items)) return { ...schema, items: withoutNumbers(items) };
  return type === "integer" || type === "number" ? { type: "string" } : schema;
}

function isSure({ opcode }: Field): boolean {
  switch (opcode) {
    case Opcode.Bytes:
    case Opcode.Text:
    case Opcode.Region:
    case Opcode.Choice:
    case Opcode.Resolved:
      return false;
    default:
      return true;
  }
}

/** The schema of a class's tag, as JSON shows it. */
function tagSchema({ meaning }: Field, tag = 0, version: JsonVersion = CURRENT): JsonSchema {
  if (meaning?.form === "enumeration") return { const: meaning.names.get(tag) ?? (version === 1 ? tag : String(tag)) };
  return { const: meaning?.form === "text" ? meaning.describe(tag) : tag };
}

function leafSchema({ opcode, meaning, width, codec }: Field, version: JsonVersion): JsonSchema {
  const raw = rawSchema(opcode, width, version === 1 ? undefined : codec?.yields, version);
  return meaning === undefined ? raw : meant(meaning, opcode, raw, version);
}

function meant(meaning: Meaning, opcode: Opcode, raw: JsonSchema, version: JsonVersion): JsonSchema {
  switch (meaning.form) {
    case "enumeration":
      if (version > 1) return { anyOf: [{ enum: [...new Set(meaning.names.values())] }, LARGE] };
      return { anyOf: [{ enum: [...new Set(meaning.names.values())] }, raw] };
    case "flags": {
      const list = flagsSchema(meaning.names);
      // Digits on the wire may turn out not to be a number.
      if (opcode !== Opcode.Codec) return list;
      return version === 1 ? anyOf([list, raw]) : orNull(list);
    }
    case "text":
      return { type: "string" };
    case "reference":
    case "remark":
      return raw;
  }
}

function rawSchema(opcode: Opcode, width: number, yields: Codec<unknown>["yields"], version: JsonVersion): JsonSchema {
  if (isBoolean(opcode)) return { type: "boolean" };
  if (isFloat(opcode)) return FLOAT[version];
  if (has64Bits(opcode)) return LARGE;
  if (isSmallWhole(opcode)) {
    const { least, greatest } = rangeOf({ opcode, width });
    return { type: "integer", minimum: least, maximum: greatest };
  }
  switch (opcode) {
    case Opcode.Uuid:
      return UUID;
    case Opcode.FixedText:
    case Opcode.Text:
      return { type: "string" };
    case Opcode.Codec:
      if (yields === "text") return { type: "string" };
      if (yields === "number") return { type: ["number", "null"] };
      // Only the codec knows which of the two.
      return { type: ["string", "number"] };
    default:
      return HEX;
  }
}
