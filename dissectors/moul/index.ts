import type { ConversationHandle, Dissector, KeyFile, Opening } from "../../src/session/dissector.js";
import { connectPacketOf, connectPackets, dataBytesFit, HEADER_BYTES } from "./connection/connect-packet.js";
import { MoulConversation } from "./connection/conversation.js";
import { isStatusRequest, StatusConversation } from "./connection/status-conversation.js";
import { UndocumentedConversation } from "./connection/undocumented-conversation.js";
import { MoulKeys, readMoulKeys } from "./keys/moul-keys.js";
import { descriptorsIn, readSdlFile } from "./sdl/descriptors.js";
import { types } from "./types.js";

/**
 * A client begins with its connect packet, which says enough to be told from anything else, on any port; or it asks a
 * status server.
 */
function recognise({ transport, c2s, s2c }: Opening): "yes" | "no" | "more" {
  if (transport !== "tcp") return "no";
  const [type] = c2s;
  // The server says nothing before it has the connect packet, unless the beginning was not captured.
  if (type === undefined) return s2c.length > 0 ? "no" : "more";
  if (connectPacketOf(type) === undefined) return isStatusRequest(c2s);
  const view = new DataView(c2s.buffer, c2s.byteOffset, c2s.byteLength);
  if (c2s.length >= 3 && view.getUint16(1, true) !== HEADER_BYTES) return "no";
  if (c2s.length < HEADER_BYTES + 4) return "more";
  return dataBytesFit(type, view.getUint32(HEADER_BYTES, true)) ? "yes" : "no";
}

/** Keys do not change during a run, and what is worked out of them serves all connections. */
const keysOf = new WeakMap<readonly KeyFile[], MoulKeys>();

function keysFor({ keys }: ConversationHandle): MoulKeys {
  let known = keysOf.get(keys);
  if (known === undefined) {
    known = new MoulKeys(keys);
    keysOf.set(keys, known);
  }
  return known;
}

/** Myst Online: Uru Live. */
export const moul: Dissector = {
  name: "moul",
  types,
  readKeys: readMoulKeys,
  readDefinitions: readSdlFile,
  settingsFor: descriptorsIn,
  recognise,
  open(conversation) {
    const [type = 0] = conversation.pending("c2s");
    if (connectPackets.has(type)) return new MoulConversation(conversation, keysFor(conversation));
    return connectPacketOf(type) === undefined ? new StatusConversation() : new UndocumentedConversation(type);
  },
};
