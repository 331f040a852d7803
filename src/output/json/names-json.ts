import type { FieldTree } from "../../schema/language/field-tree.js";
import { FoundNames } from "../../schema/tree/found-names.js";
import { Ascii } from "../writers/ascii.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { safeJson } from "../writers/sanitise.js";
import type { FieldWriter } from "./field-writer.js";
import { PathWalk } from "./path-walk.js";

const NAMES = new PackedBytes(',"names":[');
const PATH = new PackedBytes('{"path":"');

const walk = new PathWalk();

/** Writes the member `names`, if there are any: what the traffic has shown to stand behind ids in `fields`. */
export function writeNames(writer: FieldWriter, nodes: FieldTree): void {
  const { references } = writer;
  const { names } = nodes;
  if (names === undefined || references.length === 0) return;
  walk.begin();
  let hasBegun = false;
  for (let index = 0; index < references.length; index++) {
    const node = references[index] ?? 0;
    const { meaning } = nodes.field(node);
    if (meaning?.form !== "reference") continue;
    const json = found.of(names, meaning.to, nodes.value(node));
    if (json === null) continue;
    if (hasBegun) writer.byte(Ascii.Comma);
    else writer.constant(NAMES);
    hasBegun = true;
    writer.constant(PATH);
    walk.write(writer, nodes, node);
    writer.constant(json);
  }
  if (hasBegun) writer.byte(Ascii.ClosingBracket);
}

/** By kind and name, what follows the path: few things have a name, and they occur over and over. */
const known = new Map<string, Map<string, PackedBytes>>();
const MOST_KNOWN = 4096;

const found = new FoundNames(knownJson);

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
