import type { FieldTree, LeafValue, NameLookup } from "../../schema/language/field-tree.js";
import { isArray } from "../../schema/language/opcode.js";
import { Ascii } from "../writers/ascii.js";
import { CURRENT } from "../writers/json-version.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { safeJson } from "../writers/sanitise.js";
import type { FieldWriter } from "./field-writer.js";
import { jsonFields } from "./json-names.js";

const NAMES = new PackedBytes(',"names":[');
const PATH = new PackedBytes('{"path":"');

/** Writes the member `names`, if there are any: what the traffic has shown to stand behind ids in `fields`. */
export function writeNames(writer: FieldWriter, nodes: FieldTree): void {
  const { references } = writer;
  const { names } = nodes;
  if (names === undefined) return;
  let hasBegun = false;
  for (let index = 0; index < references.length; index++) {
    const node = references[index] ?? 0;
    const { meaning } = nodes.field(node);
    if (meaning?.form !== "reference") continue;
    const json = nameJson(names, meaning.to, nodes.value(node));
    if (json === undefined) continue;
    if (hasBegun) writer.byte(Ascii.Comma);
    else writer.constant(NAMES);
    hasBegun = true;
    writer.constant(PATH);
    writePath(writer, nodes, node);
    writer.constant(json);
  }
  if (hasBegun) writer.byte(Ascii.ClosingBracket);
}

/** By kind and name, what follows the path: few things have a name, and they occur over and over. */
const known = new Map<string, Map<string, PackedBytes>>();
const MOST_KNOWN = 4096;

/** What was found behind the values of references, until any name changes: making their ids takes longest. */
class Found {
  revision = -1;
  readonly byKinds = new Map<readonly string[], Map<LeafValue, PackedBytes | undefined>>();
}

const found = new WeakMap<NameLookup, Found>();

function nameJson(names: NameLookup, kinds: readonly string[], value: LeafValue): PackedBytes | undefined {
  const values = foundIn(names, kinds);
  if (values === undefined) return lookedUp(names, kinds, value);
  const json = values.get(value);
  if (json !== undefined || values.has(value)) return json;
  if (values.size >= MOST_KNOWN) values.clear();
  const fresh = lookedUp(names, kinds, value);
  values.set(value, fresh);
  return fresh;
}

function foundIn(names: NameLookup, kinds: readonly string[]): Map<LeafValue, PackedBytes | undefined> | undefined {
  const { revision } = names;
  if (revision === undefined) return undefined;
  let own = found.get(names);
  if (own === undefined) {
    own = new Found();
    found.set(names, own);
  }
  if (own.revision !== revision) {
    own.byKinds.clear();
    own.revision = revision;
  }
  let values = own.byKinds.get(kinds);
  if (values === undefined) {
    values = new Map();
    own.byKinds.set(kinds, values);
  }
  return values;
}

function lookedUp(names: NameLookup, kinds: readonly string[], value: LeafValue): PackedBytes | undefined {
  const id = String(value);
  for (const kind of kinds) {
    const name = names.get(kind, id);
    if (name !== undefined) return knownJson(kind, name);
  }
  return undefined;
}

function knownJson(kind: string, name: string): PackedBytes {
  let ofKind = known.get(kind);
  if (ofKind === undefined) {
    ofKind = new Map();
    known.set(kind, ofKind);
  }
  let json = ofKind.get(name);
  if (json === undefined) {
    if (ofKind.size >= MOST_KNOWN) ofKind.clear();
    json = new PackedBytes(`","kind":${safeJson(kind)},"name":${safeJson(name)}}`);
    ofKind.set(name, json);
  }
  return json;
}

/** Writes the path of a node, as it is in `fields`: `stream.data.events[2].hitter`. */
export function writePath(writer: FieldWriter, nodes: FieldTree, node: number): void {
  let isIndexed = isArray(nodes.field(0).opcode);
  let index = 0;
  let isFirst = true;
  for (let at = 1; at <= node; ) {
    const end = nodes.nextOf(at);
    if (end <= node) {
      at = end;
      index++;
      continue;
    }
    const field = nodes.field(at);
    if (isIndexed) {
      writer.byte(Ascii.OpeningBracket);
      writer.digits(index);
      writer.byte(Ascii.ClosingBracket);
    } else {
      if (!isFirst) writer.byte(Ascii.Point);
      writer.constant(jsonFields[CURRENT].of(field).bareName);
    }
    isFirst = false;
    isIndexed = isArray(field.opcode);
    index = 0;
    at++;
  }
}
