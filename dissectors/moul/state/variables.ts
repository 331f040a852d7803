import type { StateEvent } from "moul-dissect/dissector";
import { recordValues } from "../sdl/record-values.js";
import { senderIn } from "./chat.js";
import { nodeOf, type ReadMessage } from "./message-reader.js";

/** The state of an object: the record of a plNetMsgSDLState. Source: plNetMessage/plNetMessage.h; plSDL/. */
export function variablesIn({ nodes, direction }: ReadMessage): StateEvent[] {
  const envelope = nodeOf(nodes, "plNetMsgSDLState");
  const blob = envelope < 0 ? -1 : nodeOf(nodes, "sdlBlob");
  if (blob < 0) return [];
  const record = nodes.child(blob, "record");
  const persists = nodes.child(envelope, "persistOnServer");
  const values = record < 0 || !nodes.hasChildren(record) ? undefined : recordValues(nodes, record);
  return [
    {
      kind: "variables",
      object: nodes.textIn(envelope, "uoid.objectName") ?? "",
      set: nodes.textIn(blob, "descriptorName") ?? "",
      version: nodes.numberIn(blob, "descriptorVersion") ?? 0,
      from: senderIn(nodes, envelope),
      isRelayed: direction === "s2c",
      ...(persists >= 0 && { isPersistent: nodes.number(persists) !== 0 }),
      values,
    },
  ];
}
