import { UNDISSECTED } from "../../schema/language/field.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { flagNames } from "../../schema/language/meaning.js";
import { classOf, flagBits, isNull } from "../../schema/tree/label.js";
import { readNumber } from "../../schema/tree/leaf.js";
import { Ascii } from "../writers/ascii.js";
import { CURRENT, type JsonVersion } from "../writers/json-version.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { safeJson } from "../writers/sanitise.js";
import { FieldWriter } from "./field-writer.js";
import { type JsonField, JsonForm, JsonMeaning, jsonFields } from "./json-names.js";

const shared = new FieldWriter();
/** For values within others. */
const aside = new FieldWriter();

/**
 * The value of a node as JSON text: names for enums, arrays of names for flags, strings for 64-bit integers, times and
 * UUIDs, hexadecimal for bytes.
 */
export function fieldJson(nodes: FieldTree, node: number, version: JsonVersion = CURRENT): string {
  shared.clear();
  writeField(shared, nodes, node, version);
  return shared.toString();
}

/** Returns what `fieldJson` returns, in UTF-8; valid until the next value is written. */
export function fieldJsonBytes(nodes: FieldTree, node: number): Uint8Array {
  shared.clear();
  writeField(shared, nodes, node, CURRENT);
  return shared.bytes;
}

/** Like `fieldJson`, for a column: a value that is not of the JSON type of its field is shown as it is. */
export function valueJson(nodes: FieldTree, node: number): string {
  const json = fieldJson(nodes, node);
  return shared.misfits.length === 0 ? json : fieldJson(nodes, node, 1);
}

/** Writes what `fieldJson` returns, straight from the node store. */
export function writeField(writer: FieldWriter, nodes: FieldTree, node: number, version: JsonVersion): void {
  writeValue(writer, nodes, jsonFields[version].of(nodes.field(node)), node);
}

function writeValue(writer: FieldWriter, nodes: FieldTree, own: JsonField, node: number): void {
  switch (own.form) {
    case JsonForm.Members:
      writeMembers(writer, nodes, own, node, undefined);
      return;
    case JsonForm.Struct:
      writeStruct(writer, nodes, own, node);
      return;
    case JsonForm.Creatable:
      writeCreatable(writer, nodes, own, node);
      return;
    case JsonForm.Elements:
      writeElements(writer, nodes, own, node);
      return;
    case JsonForm.Bytes: {
      if (own.isMisfit) {
        writer.misfit(node);
        return;
      }
      const { bytes, origin } = nodes.sourceOf(node);
      writer.hexString(bytes, origin + nodes.startOf(node), origin + nodes.endOf(node));
      return;
    }
    case JsonForm.Other:
      writeOther(writer, nodes, own, node);
      return;
    default:
      writeNumber(writer, nodes, own, node);
  }
}

/** Writes a struct as an object of its fields and derived values. */
export function writeObject(writer: FieldWriter, nodes: FieldTree, node: number, version: JsonVersion): void {
  writeMembers(writer, nodes, jsonFields[version].of(nodes.field(node)), node, undefined);
}

function writeMembers(
  writer: FieldWriter,
  nodes: FieldTree,
  own: JsonField,
  node: number,
  beginning: PackedBytes | undefined,
): void {
  const { fields } = nodes;
  const end = nodes.nextOf(node);
  const start = writer.length;
  if (beginning !== undefined) writer.constant(beginning);
  for (let child = node + 1, at = 0; child < end; child = nodes.nextOf(child), at++) {
    const field = fields[child];
    if (field === undefined) break;
    const member = own.member(at, field);
    writer.packed(member.keyWords, member.keyFirst, member.keyLength);
    if (member.isPlainInteger) {
      const { view, origin } = nodes.sourceOf(child);
      writer.smallInteger(readNumber(member.opcode, view, origin + nodes.startOf(child)));
    } else writeValue(writer, nodes, member, child);
  }
  const { derived } = own;
  if (derived.length > 0) writeDerived(writer, nodes, node, derived);
  if (beginning === undefined) writer.open(start);
  writer.byte(Ascii.ClosingBrace);
}

/** Writes the derived values of a struct. */
function writeDerived(writer: FieldWriter, nodes: FieldTree, node: number, derived: JsonField["derived"]): void {
  for (const { key, of: valueIn, bytes: bytesIn, only, constant } of derived) {
    const value = bytesIn === undefined ? valueIn(nodes, node) : bytesIn(nodes, node);
    if (value === undefined) continue;
    if (value === only) writer.constant(constant);
    else {
      writer.constant(key);
      writer.value(value);
    }
  }
}

function writeStruct(writer: FieldWriter, nodes: FieldTree, own: JsonField, node: number): void {
  const { struct } = own.field;
  // Without bytes there is no value: some values are not sent, since the receiver can work them out.
  if (struct?.fields.length === 0) {
    writer.null();
    return;
  }
  const text = struct?.shownAs?.(nodes, node);
  if (text !== undefined) writer.string(text);
  else if (own.isUniform && struct?.shownAs !== undefined) writer.misfit(node, membersJson(nodes, own, node));
  else writeMembers(writer, nodes, own, node, undefined);
}

/** The members of a struct for which its text is missing. */
function membersJson(nodes: FieldTree, own: JsonField, node: number): string {
  aside.clear();
  writeMembers(aside, nodes, own, node, undefined);
  return aside.toString();
}

function writeCreatable(writer: FieldWriter, nodes: FieldTree, own: JsonField, node: number): void {
  if (own.field.struct !== undefined) writeMembers(writer, nodes, own, node, own.beginning);
  else if (isNull(nodes, node)) writer.null();
  else {
    const className = classOf(nodes, node);
    writeMembers(
      writer,
      nodes,
      own,
      node,
      className === undefined ? undefined : new PackedBytes(`{"class":${safeJson(className)}`),
    );
  }
}

function writeElements(writer: FieldWriter, nodes: FieldTree, own: JsonField, node: number): void {
  const end = nodes.nextOf(node);
  writer.byte(Ascii.OpeningBracket);
  for (let child = node + 1; child < end; child = nodes.nextOf(child)) {
    if (child > node + 1) writer.byte(Ascii.Comma);
    const field = nodes.field(child);
    if (own.excludesBytes && field === UNDISSECTED) writer.misfit(child);
    else writeValue(writer, nodes, own.member(0, field), child);
  }
  writer.byte(Ascii.ClosingBracket);
}

/** Writes a boolean, or a number that a double holds. */
function writeNumber(writer: FieldWriter, nodes: FieldTree, own: JsonField, node: number): void {
  const { view, origin } = nodes.sourceOf(node);
  const number = readNumber(own.opcode, view, origin + nodes.startOf(node));
  if (own.shows !== JsonMeaning.None && writeMeaning(writer, nodes, own, node, number)) return;
  if (own.form === JsonForm.Integer) writer.integer(number);
  else if (own.form === JsonForm.Float) {
    if (own.isUniform && !Number.isFinite(number)) writer.misfit(node, String(number));
    else writer.number(number);
  } else writer.boolean(number !== 0);
}

/** Writes a leaf that is neither that nor plain bytes. */
function writeOther(writer: FieldWriter, nodes: FieldTree, own: JsonField, node: number): void {
  const { copyAscii } = own;
  if (own.shows !== JsonMeaning.None && writeMeaning(writer, nodes, own, node, nodes.number(node))) return;
  if (copyAscii !== undefined) {
    const { bytes, origin } = nodes.sourceOf(node);
    if (writer.quotedAscii(copyAscii, bytes, origin + nodes.startOf(node), origin + nodes.endOf(node))) return;
  }
  const value = nodes.value(node);
  if (own.isUniform && typeof value === "number" && !Number.isFinite(value)) writer.misfit(node, String(value));
  else writer.value(value);
}

/** Writes what a number means, if that is what JSON shows. */
function writeMeaning(writer: FieldWriter, nodes: FieldTree, own: JsonField, node: number, number: number): boolean {
  if (own.shows === JsonMeaning.Reference) {
    writer.references.push(node);
    return false;
  }
  const known = own.values.get(number);
  if (known !== undefined) {
    writer.constant(known);
    return true;
  }
  const { meaning } = own;
  switch (meaning?.form) {
    case "enumeration": {
      const name = meaning.names.get(number);
      if (name === undefined && !own.isUniform) return false;
      if (name === undefined) writer.string(String(nodes.value(node)));
      else writer.constant(kept(own, number, name));
      return true;
    }
    case "flags": {
      const value = flagBits(nodes, node);
      if (Number.isNaN(value)) return false;
      writer.constant(kept(own, number, flagNames(meaning.names, value)));
      return true;
    }
    case "text":
      writer.string(meaning.describe(number));
      return true;
    default:
      return false;
  }
}

function kept({ values }: JsonField, number: number, value: string | readonly string[]): PackedBytes {
  const json = new PackedBytes(safeJson(value));
  values.keep(number, json);
  return json;
}
