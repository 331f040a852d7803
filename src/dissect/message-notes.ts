import type { Nodes } from "../schema/nodes.js";
import type { MessageNote } from "./message.js";

/** What the decoder has to remark on a message, with the paths of the fields. */
export function messageNotes(nodes: Nodes): MessageNote[] {
  if (nodes.notes.length === 0) return [];
  const paths = nodes.paths(nodes.notes.map(({ node }) => node));
  return nodes.notes.map(({ severity, text }, index) => ({ severity, path: paths[index] ?? "", text }));
}
