import { isObject, type Json } from "../../common/json.js";
import type { FieldTree } from "../../schema/language/field-tree.js";
import { holdsNodes } from "../../schema/language/opcode.js";
import { classOf, labelOf } from "../../schema/tree/label.js";
import { Ascii } from "../writers/ascii.js";
import type { JsonWriter } from "./json-writer.js";

/** Writes the members `tree` and `sources` of a message: every node with its raw value, meaning and place. */
export function writeTree(writer: JsonWriter, nodes: FieldTree): void {
  const sources = nodes.sources.map(({ kind, length, parent }, id) => {
    return { id, kind, length, ...(parent >= 0 && { parent: nodes.sourceIndexOf(parent) }) };
  });
  writer.ascii('"tree":');
  writeChildren(writer, nodes, 0);
  writer.ascii(',"sources":');
  writer.value(sources);
}

/** Writes the same members for a range that is not a message: they give its place, not its contents. */
export function writeRangeTree(writer: JsonWriter, offset: number, length: number): void {
  const tree = Object.entries({ offset, length }).map(([name, value]) => {
    return { name, kind: "derived", value, start: 0, end: 0, source: 0 };
  });
  writer.ascii('"tree":');
  writer.value(tree);
  writer.ascii(',"sources":[{"id":0,"kind":"message","length":0}]');
}

function writeChildren(writer: JsonWriter, nodes: FieldTree, parent: number): void {
  writer.byte(Ascii.OpeningBracket);
  let index = 0;
  for (let node = parent + 1; node < nodes.nextOf(parent); node = nodes.nextOf(node)) {
    if (index > 0) writer.byte(Ascii.Comma);
    writeNode(writer, nodes, node, `[${index}]`);
    index++;
  }
  writeDerived(writer, nodes, parent, index > 0);
  writer.byte(Ascii.ClosingBracket);
}

/** Writes a node and all nodes below it. An array element has no name; its index in brackets serves as one. */
function writeNode(writer: JsonWriter, nodes: FieldTree, node: number, index: string): void {
  const field = nodes.field(node);
  const label = labelOf(nodes, node);
  const inner = holdsNodes(field.opcode);
  writer.ascii('{"name":');
  writer.string(field.name === "" ? index : field.name);
  writer.ascii(',"kind":');
  writer.string(field.kind);
  const className = classOf(nodes, node);
  if (inner && className !== undefined) {
    writer.ascii(',"class":');
    writer.string(className);
  }
  writer.ascii(',"value":');
  if (inner) writer.ascii("null");
  else writer.value(nodes.value(node));
  if (label !== undefined) {
    writer.ascii(',"label":');
    writer.string(label);
  }
  writer.ascii(`,"start":${nodes.startOf(node)},"end":${nodes.endOf(node)},"source":${nodes.sourceIndexOf(node)}`);
  if (inner) {
    writer.ascii(',"children":');
    writeChildren(writer, nodes, node);
  }
  const notes = nodes.notesOn(node).map(({ severity, text }) => ({ severity, text }));
  if (notes.length > 0) {
    writer.ascii(',"notes":');
    writer.value(notes);
  }
  writer.byte(Ascii.ClosingBrace);
}

/** Writes derived values: nodes without bytes, at the end of their struct. */
function writeDerived(writer: JsonWriter, nodes: FieldTree, node: number, isContinued: boolean): void {
  let more = isContinued;
  for (const { name, of, meaning } of nodes.field(node).struct?.derived ?? []) {
    const value = of(nodes, node);
    if (value === undefined) continue;
    if (more) writer.byte(Ascii.Comma);
    more = true;
    const at = nodes.endOf(node);
    const label = derivedLabel(value, meaning?.(nodes, node));
    const about = { name, kind: "derived", value, ...(label !== "" && { label }) };
    writer.value({ ...about, start: at, end: at, source: nodes.sourceIndexOf(node) });
  }
}

/**
 * The meaning of a derived value, as one text: the name of a number, the names in a list, or the members of an object
 * whose meaning differs from their value.
 */
function derivedLabel(value: Json, meaning: Json | undefined): string {
  if (typeof meaning === "string") return meaning;
  if (Array.isArray(meaning)) return meaning.join(" | ");
  if (!isObject(meaning) || !isObject(value)) return "";
  return Object.entries(meaning)
    .filter(([name, meant]) => meant !== value[name] && typeof meant !== "object")
    .map(([name, meant]) => `${name}: ${meant}`)
    .join(", ");
}
