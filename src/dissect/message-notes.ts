import type { FieldTree } from "../schema/language/field-tree.js";
import type { MessageNote } from "./message.js";

/** The notes of most messages: nothing is ever added. */
const NONE: readonly MessageNote[] = [];

/** Returns the decoder's notes on a message, with the paths of the fields. */
export function messageNotes(nodes: FieldTree): readonly MessageNote[] {
  if (nodes.notes.length === 0) return NONE;
  const paths = nodes.paths(nodes.notes.map(({ node }) => node));
  return nodes.notes.map(({ severity, text }, index) => ({ severity, path: paths[index] ?? "", text }));
}
