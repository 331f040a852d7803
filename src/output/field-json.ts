import type { Field } from "../schema/field.js";
import { classOf, flagBits, isNull } from "../schema/label.js";
import { readNumber } from "../schema/leaf.js";
import { flagNames } from "../schema/meaning.js";
import type { Nodes } from "../schema/nodes.js";
import { has64Bits, Opcode } from "../schema/opcode.js";
import { PackedBytes } from "../schema/packed-bytes.js";
import { JsonWriter, Mark } from "./json-writer.js";
import { safeJson } from "./sanitise.js";

const NULL = new PackedBytes("null");
const CLASS_KEY = new PackedBytes('"class":');

const shared = new JsonWriter();

/**
 * The value of a node as JSON text: names for enums, arrays of names for flags, strings for 64-bit integers, times and
 * UUIDs, hexadecimal for bytes.
 */
export function fieldJson(nodes: Nodes, node: number): string {
  shared.clear();
  writeField(shared, nodes, node);
  return shared.toString();
}

/** Writes the same, straight from the node store. */
export function writeField(writer: JsonWriter, nodes: Nodes, node: number): void {
  writeValue(writer, nodes, nodes.field(node), node);
}

function writeValue(writer: JsonWriter, nodes: Nodes, field: Field, node: number): void {
  switch (field.opcode) {
    case Opcode.Struct:
      writeStruct(writer, nodes, field, node);
      return;
    case Opcode.Polymorphic:
      writeCreatable(writer, nodes, node);
      return;
    case Opcode.Array:
    case Opcode.Tuple:
      writeElements(writer, nodes, node);
      return;
    default:
      writeLeaf(writer, nodes, field, node);
  }
}

/**
 * Writes the members of a struct, without the braces.
 *
 * @param isFirst whether nothing stands before them
 */
export function writeMembers(writer: JsonWriter, nodes: Nodes, node: number, isFirst: boolean): void {
  const { fields } = nodes;
  const behind = nodes.nextOf(node);
  let first = isFirst;
  for (let child = node + 1; child < behind; child = nodes.nextOf(child)) {
    const member = fields[child];
    if (member === undefined) break;
    if (!first) writer.mark(Mark.Comma);
    first = false;
    writer.constant(member.jsonKey);
    writeValue(writer, nodes, member, child);
  }
  const struct = fields[node]?.struct;
  if (struct === undefined) return;
  const { derived, derivedKeys } = struct;
  for (let index = 0; index < derived.length; index++) {
    const one = derived[index];
    const key = derivedKeys[index];
    if (one === undefined || key === undefined) break;
    const value = (one.meaning ?? one.of)(nodes, node);
    if (value === undefined) continue;
    if (!first) writer.mark(Mark.Comma);
    first = false;
    writer.constant(key);
    writer.value(value);
  }
}

function writeStruct(writer: JsonWriter, nodes: Nodes, { struct }: Field, node: number): void {
  // What has no bytes has no value: some values are not sent, but worked out by whoever has them.
  if (struct?.fields.length === 0) {
    writer.constant(NULL);
    return;
  }
  const text = struct?.shownAs?.(nodes, node);
  if (text !== undefined) {
    writer.string(text);
    return;
  }
  writer.mark(Mark.OpeningBrace);
  writeMembers(writer, nodes, node, true);
  writer.mark(Mark.ClosingBrace);
}

function writeCreatable(writer: JsonWriter, nodes: Nodes, node: number): void {
  if (isNull(nodes, node)) {
    writer.constant(NULL);
    return;
  }
  const className = classOf(nodes, node);
  writer.mark(Mark.OpeningBrace);
  if (className !== undefined) {
    writer.constant(CLASS_KEY);
    writer.name(className);
  }
  writeMembers(writer, nodes, node, className === undefined);
  writer.mark(Mark.ClosingBrace);
}

function writeElements(writer: JsonWriter, nodes: Nodes, node: number): void {
  const behind = nodes.nextOf(node);
  writer.mark(Mark.OpeningBracket);
  for (let child = node + 1; child < behind; child = nodes.nextOf(child)) {
    if (child > node + 1) writer.mark(Mark.Comma);
    writeValue(writer, nodes, nodes.field(child), child);
  }
  writer.mark(Mark.ClosingBracket);
}

function writeLeaf(writer: JsonWriter, nodes: Nodes, field: Field, node: number): void {
  const { meaning, opcode } = field;
  const source = nodes.sourceOf(node);
  const start = source.origin + nodes.startOf(node);
  if (opcode > Opcode.Bool32LE || has64Bits(opcode)) {
    writeOther(writer, nodes, field, node);
    return;
  }
  const number = readNumber(opcode, source.view, start);
  if (meaning !== undefined && writeMeaning(writer, nodes, field, node, number)) return;
  if (opcode >= Opcode.Bool8) writer.boolean(number !== 0);
  else writer.number(number);
}

/** A leaf that is no number of 32 bits or less. */
function writeOther(writer: JsonWriter, nodes: Nodes, field: Field, node: number): void {
  const { meaning, codec } = field;
  if (meaning !== undefined && writeMeaning(writer, nodes, field, node, nodes.number(node))) return;
  if (codec?.copyAscii !== undefined) {
    const { bytes, origin } = nodes.sourceOf(node);
    if (writer.copiedString(codec.copyAscii, bytes, origin + nodes.startOf(node), origin + nodes.endOf(node))) return;
  }
  writer.value(nodes.value(node));
}

/** Writes what a number means, if that is what JSON shows. */
function writeMeaning(writer: JsonWriter, nodes: Nodes, field: Field, node: number, number: number): boolean {
  const { meaning } = field;
  const known = field.jsonValues.get(number);
  if (known !== undefined) {
    writer.constant(known);
    return true;
  }
  switch (meaning?.form) {
    case "enumeration": {
      const name = meaning.names.get(number);
      if (name === undefined) return false;
      writer.constant(kept(field, number, name));
      return true;
    }
    case "flags": {
      const value = flagBits(nodes, node);
      if (Number.isNaN(value)) return false;
      writer.constant(kept(field, number, flagNames(meaning.names, value)));
      return true;
    }
    case "text":
      writer.string(meaning.describe(number));
      return true;
    default:
      return false;
  }
}

/** Values that are kept of one field at most: a protocol uses few of the possible ones, over and over. */
const MOST_KEPT = 256;

function kept({ jsonValues }: Field, number: number, value: string | readonly string[]): PackedBytes {
  const json = new PackedBytes(safeJson(value));
  // Of several numbers of 64 bits a double can be the same.
  if (Number.isSafeInteger(number) && jsonValues.size < MOST_KEPT) jsonValues.set(number, json);
  return json;
}
