import type { FieldTree } from "../schema/language/field-tree.js";
import type { MessageNote } from "./message.js";

/** Returns the decoder's notes on a message, with the paths of the fields. */
export function messageNotes(nodes: FieldTree): MessageNote[] {
  if (nodes.notes.length === 0) return [];
  const paths = nodes.paths(nodes.notes.map(({ node }) => node));
  return nodes.notes.map(({ severity, text }, index) => ({ severity, path: paths[index] ?? "", text }));
}
