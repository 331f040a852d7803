import { classOf, flagBits, isNull } from "../schema/label.js";
import { hex } from "../schema/leaf.js";
import { flagNames, type Meaning } from "../schema/meaning.js";
import type { Nodes } from "../schema/nodes.js";
import { Opcode } from "../schema/opcode.js";
import { safeJson } from "./sanitise.js";

/**
 * The value of a node as JSON text, written straight from the node store: names for enums, arrays of names for flags,
 * strings for 64-bit integers, times and UUIDs, hexadecimal for bytes.
 */
export function fieldJson(nodes: Nodes, node: number): string {
  const field = nodes.field(node);
  switch (field.opcode) {
    case Opcode.Struct: {
      // What has no bytes has no value: some values are not sent, but worked out by whoever has them.
      if (field.struct?.fields.length === 0) return "null";
      const text = field.struct?.shownAs?.(nodes, node);
      return text === undefined ? `{${membersJson(nodes, node, "")}}` : stringJson(text);
    }
    case Opcode.Polymorphic: {
      if (isNull(nodes, node)) return "null";
      const className = classOf(nodes, node);
      return `{${membersJson(nodes, node, className === undefined ? "" : `"class":${stringJson(className)}`)}}`;
    }
    case Opcode.Array:
    case Opcode.Tuple: {
      let json = "";
      const behind = nodes.nextOf(node);
      for (let child = node + 1; child < behind; child = nodes.nextOf(child)) {
        json += json === "" ? fieldJson(nodes, child) : `,${fieldJson(nodes, child)}`;
      }
      return `[${json}]`;
    }
    default:
      return leafJson(nodes, node);
  }
}

/** The members of a struct, without the braces, behind what stands before them. */
export function membersJson(nodes: Nodes, node: number, before: string): string {
  let json = before;
  const behind = nodes.nextOf(node);
  for (let child = node + 1; child < behind; child = nodes.nextOf(child)) {
    const { jsonKey } = nodes.field(child);
    json += json === "" ? jsonKey : `,${jsonKey}`;
    json += fieldJson(nodes, child);
  }
  const derived = nodes.field(node).struct?.derived;
  if (derived === undefined || derived.length === 0) return json;
  for (const { name, of, meaning } of derived) {
    const value = (meaning ?? of)(nodes, node);
    if (value !== undefined) json += `${json === "" ? "" : ","}${stringJson(name)}:${anyJson(value)}`;
  }
  return json;
}

function leafJson(nodes: Nodes, node: number): string {
  const { meaning, opcode } = nodes.field(node);
  if (meaning !== undefined) {
    switch (meaning.form) {
      case "enumeration": {
        const name = meaning.names.get(nodes.number(node));
        if (name !== undefined) return stringJson(name);
        break;
      }
      case "flags": {
        const bits = flagBits(nodes, node);
        if (Number.isNaN(bits)) break;
        return flagsJson(meaning, bits);
      }
      case "text":
        return stringJson(meaning.describe(nodes.number(node)));
      case "reference":
      case "remark":
    }
  }
  if (opcode === Opcode.Bool8 || opcode === Opcode.Bool32LE) return nodes.number(node) === 0 ? "false" : "true";
  return scalarJson(nodes.value(node));
}

/** Characters that do not stand for themselves in JSON, or that it takes more than a look to know. */
const NOT_PLAIN = /[^ !#-[\]-~]/;

/** A string as JSON text. */
export function stringJson(text: string): string {
  return NOT_PLAIN.test(text) ? safeJson(text) : `"${text}"`;
}

/** Texts of flag sets: a protocol uses few of the possible ones, over and over. */
const flagTexts = new WeakMap<Meaning, Map<number, string>>();
const MOST_FLAG_TEXTS = 1024;

function flagsJson(meaning: Meaning & { form: "flags" }, value: number | bigint): string {
  if (typeof value === "bigint") return safeJson(flagNames(meaning.names, value));
  let texts = flagTexts.get(meaning);
  if (texts === undefined) {
    texts = new Map();
    flagTexts.set(meaning, texts);
  }
  let text = texts.get(value);
  if (text === undefined) {
    text = safeJson(flagNames(meaning.names, value));
    if (texts.size < MOST_FLAG_TEXTS) texts.set(value, text);
  }
  return text;
}

function anyJson(value: unknown): string {
  switch (typeof value) {
    case "number":
    case "boolean":
    case "string":
      return scalarJson(value);
    default:
      return safeJson(value);
  }
}

/** A raw value as JSON text. */
export function scalarJson(value: number | bigint | boolean | string | Uint8Array): string {
  switch (typeof value) {
    case "number":
      if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value);
      return `"${value}"`;
    case "bigint":
      return `"${value}"`;
    case "boolean":
      return value ? "true" : "false";
    case "string":
      return stringJson(value);
    default:
      return `"${hex(value)}"`;
  }
}
