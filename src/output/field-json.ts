import type { Field } from "../schema/field.js";
import { classOf, flagBits, isNull } from "../schema/label.js";
import { hex, readNumber } from "../schema/leaf.js";
import { flagNames } from "../schema/meaning.js";
import type { Nodes } from "../schema/nodes.js";
import { has64Bits, isFloat, Opcode } from "../schema/opcode.js";
import type { Derived } from "../schema/struct.js";
import { safeJson } from "./sanitise.js";

/**
 * The value of a node as JSON text, written straight from the node store: names for enums, arrays of names for flags,
 * strings for 64-bit integers, times and UUIDs, hexadecimal for bytes.
 */
export function fieldJson(nodes: Nodes, node: number): string {
  const writer = new FieldWriter(nodes);
  writer.value(nodes.field(node), node);
  return writer.text;
}

/** The members of a struct, without the braces, behind what stands before them. */
export function membersJson(nodes: Nodes, node: number, before: string): string {
  const writer = new FieldWriter(nodes);
  writer.text = before;
  writer.members(nodes.field(node), node, before === "");
  return writer.text;
}

/** Writes values one behind the other into one text. */
class FieldWriter {
  text = "";

  constructor(readonly nodes: Nodes) {}

  value(field: Field, node: number): void {
    switch (field.opcode) {
      case Opcode.Struct:
        this.#struct(field, node);
        return;
      case Opcode.Polymorphic:
        this.#creatable(field, node);
        return;
      case Opcode.Array:
      case Opcode.Tuple:
        this.#elements(node);
        return;
      default:
        this.#leaf(field, node);
    }
  }

  /** @param isFirst whether nothing stands before the members */
  members(field: Field, node: number, isFirst: boolean): void {
    const { nodes } = this;
    const behind = nodes.nextOf(node);
    let first = isFirst;
    for (let child = node + 1; child < behind; child = nodes.nextOf(child)) {
      const member = nodes.field(child);
      this.text += first ? member.jsonKey : member.nextJsonKey;
      first = false;
      this.value(member, child);
    }
    const derived = field.struct?.derived;
    if (derived === undefined || derived.length === 0) return;
    for (const one of derived) {
      const value = (one.meaning ?? one.of)(nodes, node);
      if (value === undefined) continue;
      this.text += `${first ? "" : ","}${derivedKey(one)}${anyJson(value)}`;
      first = false;
    }
  }

  #struct(field: Field, node: number): void {
    const { struct } = field;
    // What has no bytes has no value: some values are not sent, but worked out by whoever has them.
    if (struct?.fields.length === 0) {
      this.text += "null";
      return;
    }
    const text = struct?.shownAs?.(this.nodes, node);
    if (text !== undefined) {
      this.text += stringJson(text);
      return;
    }
    this.text += "{";
    this.members(field, node, true);
    this.text += "}";
  }

  #creatable(field: Field, node: number): void {
    if (isNull(this.nodes, node)) {
      this.text += "null";
      return;
    }
    const className = classOf(this.nodes, node);
    this.text += className === undefined ? "{" : `{"class":${stringJson(className)}`;
    this.members(field, node, className === undefined);
    this.text += "}";
  }

  #elements(node: number): void {
    const { nodes } = this;
    const behind = nodes.nextOf(node);
    this.text += "[";
    for (let child = node + 1; child < behind; child = nodes.nextOf(child)) {
      if (child > node + 1) this.text += ",";
      this.value(nodes.field(child), child);
    }
    this.text += "]";
  }

  #leaf(field: Field, node: number): void {
    const { nodes } = this;
    const { meaning, opcode } = field;
    if (meaning !== undefined) {
      switch (meaning.form) {
        case "enumeration": {
          const number = nodes.number(node);
          const name = meaning.names.get(number);
          if (name === undefined) break;
          this.text += field.jsonTexts.get(number) ?? kept(field, number, stringJson(name));
          return;
        }
        case "flags": {
          const value = flagBits(nodes, node);
          if (Number.isNaN(value)) break;
          const known = typeof value === "number" ? field.jsonTexts.get(value) : undefined;
          this.text += known ?? kept(field, value, safeJson(flagNames(meaning.names, value)));
          return;
        }
        case "text":
          this.text += stringJson(meaning.describe(nodes.number(node)));
          return;
        case "reference":
        case "remark":
      }
    }
    if (opcode > Opcode.Bool32LE || has64Bits(opcode)) {
      this.text += scalarJson(nodes.value(node));
      return;
    }
    const source = nodes.sourceOf(node);
    const number = readNumber(opcode, source.view, source.origin + nodes.startOf(node));
    if (opcode >= Opcode.Bool8) this.text += number === 0 ? "false" : "true";
    else this.text += isFloat(opcode) ? scalarJson(number) : number;
  }
}

/** Texts of values that are kept of one field at most: a protocol uses few of the possible ones, over and over. */
const MOST_KEPT = 256;

function kept({ jsonTexts }: Field, value: number | bigint, text: string): string {
  if (typeof value === "number" && jsonTexts.size < MOST_KEPT) jsonTexts.set(value, text);
  return text;
}

const derivedKeys = new WeakMap<Derived, string>();

function derivedKey(derived: Derived): string {
  let key = derivedKeys.get(derived);
  if (key === undefined) {
    key = `${stringJson(derived.name)}:`;
    derivedKeys.set(derived, key);
  }
  return key;
}

/** Characters that do not stand for themselves in JSON, or that it takes more than a look to know. */
const NOT_PLAIN = /[^ !#-[\]-~]/;
/** What summaries consist of. */
const BUT_FOR_QUOTES = /^[ -[\]-~]*$/;
/** Up to this length looking at each character is faster than to begin with an expression. */
const SHORT = 48;

/** A string as JSON text. */
export function stringJson(text: string): string {
  if (isPlain(text)) return `"${text}"`;
  return BUT_FOR_QUOTES.test(text) ? `"${text.replaceAll('"', '\\"')}"` : safeJson(text);
}

function isPlain(text: string): boolean {
  if (text.length > SHORT) return !NOT_PLAIN.test(text);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e || code === 0x22 || code === 0x5c) return false;
  }
  return true;
}

function anyJson(value: unknown): string {
  switch (typeof value) {
    case "number":
    case "boolean":
    case "string":
      return scalarJson(value);
    default:
      return Array.isArray(value) ? `[${value.map(anyJson).join(",")}]` : safeJson(value);
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
