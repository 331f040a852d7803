import { classOf, labelOf } from "../schema/label.js";
import type { Nodes } from "../schema/nodes.js";
import { isArray, Opcode } from "../schema/opcode.js";
import type { Json } from "../schema/struct.js";
import { scalarJson, stringJson } from "./field-json.js";
import { safeJson } from "./sanitise.js";

/** The members `tree` and `sources` of a message: every node with its raw value, meaning and place. */
export function treeJson(nodes: Nodes): string {
  const sources = nodes.sources.map(({ kind, length, parent }, id) => {
    return { id, kind, length, ...(parent >= 0 && { parent: nodes.source[parent] ?? 0 }) };
  });
  return `"tree":[${childrenJson(nodes, 0)}],"sources":${safeJson(sources)}`;
}

/** The same members for a stretch of a stream that is no message: where it is stands there, not what is in it. */
export function stretchTreeJson(offset: number, length: number): string {
  const facts = Object.entries({ offset, length }).map(([name, value]) => {
    return `{"name":"${name}","kind":"derived","value":${value},"start":0,"end":0,"source":0}`;
  });
  return `"tree":[${facts.join(",")}],"sources":[{"id":0,"kind":"message","length":0}]`;
}

function childrenJson(nodes: Nodes, parent: number): string {
  let json = "";
  let index = 0;
  for (let node = parent + 1; node < nodes.nextOf(parent); node = nodes.nextOf(node)) {
    if (index > 0) json += ",";
    json += nodeJson(nodes, node, `[${index}]`);
    index++;
  }
  return json + derivedJson(nodes, parent, index > 0);
}

/** One node and all below it. Elements of arrays have no name of their own; theirs is their index in brackets. */
function nodeJson(nodes: Nodes, node: number, index: string): string {
  const field = nodes.field(node);
  const label = labelOf(nodes, node);
  const inner = isArray(field.opcode) || field.opcode === Opcode.Struct || field.opcode === Opcode.Polymorphic;
  let json = `{"name":${stringJson(field.name === "" ? index : field.name)},"kind":${stringJson(field.kind)}`;
  const className = classOf(nodes, node);
  if (inner && className !== undefined) json += `,"class":${stringJson(className)}`;
  json += `,"value":${inner ? "null" : scalarJson(nodes.value(node))}`;
  if (label !== undefined) json += `,"label":${stringJson(label)}`;
  json += `,"start":${nodes.startOf(node)},"end":${nodes.endOf(node)},"source":${nodes.source[node] ?? 0}`;
  if (inner) json += `,"children":[${childrenJson(nodes, node)}]`;
  const notes = nodes.notesOn(node).map(({ severity, text }) => ({ severity, text }));
  if (notes.length > 0) json += `,"notes":${safeJson(notes)}`;
  return `${json}}`;
}

/** Values that follow from those on the wire: nodes without bytes, at the end of their struct. */
function derivedJson(nodes: Nodes, node: number, more: boolean): string {
  let json = "";
  for (const { name, of, meaning } of nodes.field(node).struct?.derived ?? []) {
    const value = of(nodes, node);
    if (value === undefined) continue;
    const at = nodes.endOf(node);
    json += `${more || json !== "" ? "," : ""}{"name":${stringJson(name)},"kind":"derived","value":${safeJson(value)}`;
    const label = derivedLabel(value, meaning?.(nodes, node));
    if (label !== "") json += `,"label":${stringJson(label)}`;
    json += `,"start":${at},"end":${at},"source":${nodes.source[node] ?? 0}}`;
  }
  return json;
}

/** What a derived value means, as one text: the names in a list, or the members of an object that mean something else. */
function derivedLabel(value: Json, meaning: Json | undefined): string {
  if (Array.isArray(meaning)) return meaning.join(" | ");
  if (!isObject(meaning) || !isObject(value)) return "";
  return Object.entries(meaning)
    .filter(([name, meant]) => meant !== value[name] && typeof meant !== "object")
    .map(([name, meant]) => `${name}: ${meant}`)
    .join(", ");
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
