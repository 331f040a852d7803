import { isArray, isObject, type Json } from "../../common/json.js";
import type { JsonSchema } from "./terms.js";

/**
 * TypeScript types of a JSON Schema that `messageSchema` has made: an interface for each definition, and `MessageFields`
 * with the fields of each message by its name.
 */
export function typescriptOf(schema: JsonSchema): string {
  const definitions = isObject(schema["$defs"]) ? Object.entries(schema["$defs"]) : [];
  const names = new Names(definitions);
  const types = definitions.map(([name, one]) => {
    const doc = isObject(one) ? docOf(one, "") : "";
    return `${doc}export type ${names.of(name)} = ${typeOf(one, names, "")};\n`;
  });
  const messages = messagesIn(schema);
  const fields = messages.map(([name, own]) => `  readonly ${keyOf(name)}: ${typeOf(own, names, "  ")};\n`);
  return `/** Stands for all texts such as "0x7ffe", by which classes are called that have no name. */
export type UndeclaredClass = "0x????";

${types.join("\n")}
/** The fields of each message, by its name. Where a message is cut off or breaks the format, the rest is absent. */
export interface MessageFields {
${fields.join("")}}
`;
}

/** The names of the messages in a schema, with the schemas of their fields. */
export function messagesIn({ allOf }: JsonSchema): [string, Json][] {
  const rules = isArray(allOf) ? allOf : [];
  return rules.flatMap((rule): [string, Json][] => {
    const name = at(rule, "if", "properties", "message", "const");
    const fields = at(rule, "then", "properties", "fields");
    return typeof name === "string" && fields !== undefined ? [[name, fields]] : [];
  });
}

function at(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  const [name, ...names] = path;
  if (name === undefined) return value;
  return isObject(value) ? at(value[name], ...names) : undefined;
}

/** Names of definitions as identifiers, each of them different, and those of the classes among them. */
class Names {
  readonly #known = new Map<string, string>();
  readonly #classes = new Set<Json>();

  constructor(definitions: readonly (readonly [string, Json])[]) {
    const taken = new Set(["MessageFields", "UndeclaredClass"]);
    for (const [name, definition] of definitions) {
      const className = at(definition, "properties", "class", "const");
      if (className !== undefined) this.#classes.add(className);
      const word = name.replaceAll(/\W/g, "_").replace(/^(?=\d)/, "_");
      let own = word;
      for (let number = 2; taken.has(own); number++) own = `${word}_${number}`;
      taken.add(own);
      this.#known.set(name, own);
    }
  }

  /** True if a class is declared, if not in one family, then in another. */
  isClass(name: Json): boolean {
    return this.#classes.has(name);
  }

  of(name: string): string {
    return this.#known.get(name) ?? "unknown";
  }
}

function typeOf(schema: Json | undefined, names: Names, indent: string): string {
  if (!isObject(schema)) return "unknown";
  const { $ref, anyOf, enum: values, const: only, type } = schema;
  if (typeof $ref === "string") return names.of($ref.replace("#/$defs/", ""));
  if (isArray(anyOf)) {
    const isUndeclared = anyOf.some((one) => at(one, "not") !== undefined);
    return union(anyOf.map((one) => typeOf(isUndeclared ? withoutClasses(one, names) : one, names, indent)));
  }
  if (isArray(values)) return union(values.map(literal));
  if (only !== undefined) return literal(only);
  const types = isArray(type) ? type : [type];
  return union(types.map((one) => simpleType(one, schema, names, indent)));
}

/** The names of undeclared classes, without those that another family of the same place declares. */
function withoutClasses(schema: Json, names: Names): Json {
  const values = at(schema, "enum");
  return isArray(values) ? { enum: values.filter((name) => !names.isClass(name)) } : schema;
}

function simpleType(type: Json | undefined, schema: JsonSchema, names: Names, indent: string): string {
  switch (type) {
    case "string":
      return textType(schema);
    case "integer":
    case "number":
      return "number";
    case "boolean":
    case "null":
      return type;
    case "array":
      return arrayType(schema, names, indent);
    case "object":
      return isObject(schema["properties"])
        ? objectType(schema, names, indent)
        : "{ readonly [name: string]: unknown }";
    default:
      return "unknown";
  }
}

/** Texts of digits are told apart from names, so that editors complete these. */
function textType({ pattern, not }: JsonSchema): string {
  // Any class but those that have a name: TypeScript has no such type, and tells others apart only by single texts.
  if (not !== undefined) return "UndeclaredClass";
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a type of TypeScript
  if (pattern === "^0x[0-9a-f]+$") return "`0x${string}`";
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a type of TypeScript
  return pattern === "^-?[0-9]+$" ? "`${bigint}`" : "string";
}

function arrayType({ items, prefixItems }: JsonSchema, names: Names, indent: string): string {
  const elements = [...(items === undefined ? [] : [items]), ...(isArray(prefixItems) ? prefixItems : [])];
  return `readonly (${union(elements.map((element) => typeOf(element, names, indent)))})[]`;
}

function objectType({ properties, required }: JsonSchema, names: Names, indent: string): string {
  const needed = new Set(isArray(required) ? required : []);
  const inner = `${indent}  `;
  const members = Object.entries(isObject(properties) ? properties : {}).map(([name, member]) => {
    const doc = isObject(member) ? docOf(member, inner) : "";
    return `${doc}${inner}readonly ${keyOf(name)}${needed.has(name) ? "" : "?"}: ${typeOf(member, names, inner)};\n`;
  });
  return members.length === 0 ? "{}" : `{\n${members.join("")}${indent}}`;
}

function docOf({ description }: JsonSchema, indent: string): string {
  if (typeof description !== "string" || description === "") return "";
  return `${indent}/** ${description.replaceAll("*/", "* /")} */\n`;
}

function union(types: readonly string[]): string {
  return types.length === 0 ? "never" : [...new Set(types)].join(" | ");
}

function literal(value: Json): string {
  return typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value);
}

function keyOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
