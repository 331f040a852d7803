import type { StateEvent } from "moul-dissect/dissector";
import type { FieldTree, Json } from "moul-dissect/schema";
import { senderIn } from "./chat.js";
import { isRecord, nodeOf, type ReadMessage } from "./message-reader.js";

/** The state of an object: the record of a plNetMsgSDLState. Source: plNetMessage/plNetMessage.h; plSDL/. */
export function variablesIn({ nodes, direction }: ReadMessage): StateEvent[] {
  const envelope = nodeOf(nodes, "plNetMsgSDLState");
  const blob = envelope < 0 ? -1 : nodeOf(nodes, "sdlBlob");
  if (blob < 0) return [];
  const record = nodes.child(blob, "record");
  const persists = nodes.child(envelope, "persistOnServer");
  const values = record < 0 || !nodes.hasChildren(record) ? undefined : jsonOf(nodes, record);
  return [
    {
      kind: "variables",
      object: nodes.textIn(envelope, "uoid.objectName") ?? "",
      set: nodes.textIn(blob, "descriptorName") ?? "",
      version: nodes.numberIn(blob, "descriptorVersion") ?? 0,
      from: senderIn(nodes, envelope),
      isRelayed: direction === "s2c",
      ...(persists >= 0 && { isPersistent: nodes.number(persists) !== 0 }),
      values: isRecord(values) ? values : undefined,
    },
  ];
}

/** A node as JSON: an object for what has named members, a list for what has others. */
function jsonOf(nodes: FieldTree, node: number): Json {
  if (!nodes.hasChildren(node)) return leafOf(nodes, node);
  const members: Record<string, Json> = {};
  const elements: Json[] = [];
  for (let child = node + 1; child < nodes.nextOf(node); child = nodes.nextOf(child)) {
    const { name } = nodes.field(child);
    if (name === "") elements.push(jsonOf(nodes, child));
    else members[name] = jsonOf(nodes, child);
  }
  return elements.length > 0 && Object.keys(members).length === 0 ? elements : members;
}

function leafOf(nodes: FieldTree, node: number): Json {
  const value = nodes.value(node);
  if (value instanceof Uint8Array) return Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return typeof value === "bigint" ? String(value) : value;
}
