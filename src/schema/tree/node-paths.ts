import type { Field } from "../language/field.js";
import type { FieldTree } from "../language/field-tree.js";
import { isArray } from "../language/opcode.js";
import { PerField } from "./per-field.js";

/** The paths of fields that were found last: the same text each time is found faster in a dictionary of texts. */
const lastPaths = new PerField(() => ({ before: "", path: "" }));

/** Returns the position of a node among the nodes directly below the same parent, counted from 0. */
export function indexOf(nodes: FieldTree, node: number): number {
  let parent = 0;
  for (;;) {
    let index = 0;
    let at = parent + 1;
    for (; nodes.nextOf(at) <= node; at = nodes.nextOf(at)) index++;
    if (at >= node) return index;
    parent = at;
  }
}

/** Returns the paths of nodes, such as `stream.data.events[2].hitter`, found in one walk. Empty for the root. */
export function pathsOf(nodes: FieldTree, wanted: readonly number[]): readonly string[] {
  const [only] = wanted;
  if (only !== undefined && wanted.length === 1) return [pathBy("name", nodes, only)];
  const inOrder = wanted.map((node, index) => ({ node, index }));
  if (wanted.some((node, index) => index > 0 && node < (wanted[index - 1] ?? 0)))
    inOrder.sort((a, b) => a.node - b.node);
  const paths = wanted.map(() => "");
  let at = inOrder.findIndex(({ node }) => node > 0);
  const descend = (parent: number, path: string) => {
    const isIndexed = isArray(nodes.field(parent).opcode);
    const end = nodes.nextOf(parent);
    for (let child = parent + 1, index = 0; child < end; child = nodes.nextOf(child), index++) {
      const next = inOrder[at]?.node ?? end;
      if (next >= end) return;
      if (next >= nodes.nextOf(child)) continue;
      const below = isIndexed ? `${path}[${index}]` : joined(path, nodes.field(child));
      for (let found = inOrder[at]; found?.node === child; found = inOrder[at]) {
        paths[found.index] = below;
        at++;
      }
      descend(child, below);
    }
  };
  if (at >= 0) descend(0, "");
  return paths;
}

/** Returns the path of a node by the names that its fields have in JSON: see `Type.inJson`. */
export function jsonPathOf(nodes: FieldTree, node: number): string {
  return pathBy("jsonName", nodes, node);
}

function joined(before: string, field: Field): string {
  const last = lastPaths.of(field);
  if (last.path !== "" && last.before === before) return last.path;
  last.before = before;
  last.path = before === "" ? field.name : `${before}.${field.name}`;
  return last.path;
}

function pathBy(naming: "name" | "jsonName", nodes: FieldTree, node: number): string {
  let path = "";
  let isIndexed = isArray(nodes.field(0).opcode);
  let index = 0;
  for (let at = 1; at <= node; ) {
    const end = nodes.nextOf(at);
    if (end <= node) {
      at = end;
      index++;
      continue;
    }
    const field = nodes.field(at);
    if (isIndexed) path += `[${index}]`;
    else if (naming === "name") path = joined(path, field);
    else path += `${path === "" ? "" : "."}${field[naming]}`;
    isIndexed = isArray(field.opcode);
    index = 0;
    at++;
  }
  return path;
}
