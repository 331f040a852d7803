import type { StateEvent } from "moul-dissect/dissector";
import { recordValues } from "../sdl/record-values.js";
import { senderIn } from "./chat.js";
import { nodeOf, partyOf, playerIn, type ReadMessage } from "./message-reader.js";

/** What an object has of its own beside its name: avatars have the same one. Source: pnKeyedObject/plUoid.h. */
const IDENTITY = ["location.sequenceNumber", "classIndex", "cloneId", "clonerKiNumber"].map((path) => `uoid.${path}`);

/** The state of an object: the record of a plNetMsgSDLState. Source: plNetMessage/plNetMessage.h; plSDL/. */
export function variablesIn({ nodes, direction }: ReadMessage): StateEvent[] {
  const envelope = nodeOf(nodes, "plNetMsgSDLState");
  const blob = envelope < 0 ? -1 : nodeOf(nodes, "sdlBlob");
  if (blob < 0) return [];
  const record = nodes.child(blob, "record");
  const persists = nodes.child(envelope, "persistOnServer");
  const place = nodes.context?.place;
  const values = record < 0 || !nodes.hasChildren(record) ? undefined : recordValues(nodes, record);
  return [
    {
      kind: "variables",
      object: nodes.textIn(envelope, "uoid.objectName") ?? "",
      key: IDENTITY.map((path) => nodes.numberIn(envelope, path) ?? "").join(" "),
      owner: playerIn(nodes, envelope, "uoid.clonerKiNumber"),
      place: place && partyOf(nodes, place.kind, place.id),
      set: nodes.textIn(blob, "descriptorName") ?? "",
      version: nodes.numberIn(blob, "descriptorVersion") ?? 0,
      from: senderIn(nodes, envelope),
      isRelayed: direction === "s2c",
      ...(persists >= 0 && { isPersistent: nodes.number(persists) !== 0 }),
      values,
    },
  ];
}
