import type { ConversationHandle, Dissector, KeyFile, Opening, ProtocolMessages } from "../../src/session/dissector.js";
import { connectPacketOf, connectPackets, dataBytesFit, HEADER_BYTES } from "./connection/connect-packet.js";
import { MoulConversation } from "./connection/conversation.js";
import { DeclaredConversation, serverOf } from "./connection/declared-conversation.js";
import {
  isStatusRequest,
  StatusConversation,
  StatusReply,
  StatusRequest,
  StatusText,
} from "./connection/status-conversation.js";
import { UndocumentedConversation } from "./connection/undocumented-conversation.js";
import { MoulKeys, readMoulKeys } from "./keys/moul-keys.js";
import { servers } from "./messages/index.js";
import { descriptorsIn, readSdlFile } from "./sdl/descriptors.js";
import { types } from "./types.js";

const STATUS = "moul.status";

/**
 * A client begins with its connect packet, which says enough to be told from anything else, on any port; or it asks a
 * status server.
 */
function recognise({ transport, c2s, s2c, final }: Opening): "yes" | "no" | "more" {
  if (transport !== "tcp") return "no";
  const [type] = c2s;
  // The server says nothing before it has the connect packet, unless the beginning was not captured.
  if (type === undefined) return s2c.length > 0 ? "no" : "more";
  return connectPacketOf(type) === undefined ? isStatusRequest(c2s) : isConnectPacket(type, c2s, final);
}

function isConnectPacket(type: number, c2s: Uint8Array, final: boolean): "yes" | "no" | "more" {
  const view = new DataView(c2s.buffer, c2s.byteOffset, c2s.byteLength);
  if (c2s.length >= 3 && view.getUint16(1, true) !== HEADER_BYTES) return "no";
  // A connect packet that the capture has cut is one all the same.
  if (c2s.length < HEADER_BYTES + 4) return final && c2s.length >= 3 ? "yes" : "more";
  return dataBytesFit(type, view.getUint32(HEADER_BYTES, true)) ? "yes" : "no";
}

/** False also for a stream in which the server speaks first: servers say nothing before they have the connect packet. */
function beginsWithConnectPacket(c2s: Uint8Array): boolean {
  const [type] = c2s;
  return type !== undefined && connectPacketOf(type) !== undefined && isConnectPacket(type, c2s, false) !== "no";
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
  protocols: [...servers.map(({ protocol }) => protocol), STATUS],
  messages: new Map([
    ...servers.map(({ protocol, c2s, s2c }): [string, ProtocolMessages] => [
      protocol,
      { c2s: [...c2s.messages()], s2c: [...s2c.messages()] },
    ]),
    [STATUS, { c2s: [StatusRequest, StatusText], s2c: [StatusReply, StatusText] }],
  ]),
  ports: [{ transport: "tcp", port: 14617 }],
  readKeys: readMoulKeys,
  readDefinitions: readSdlFile,
  settingsFor: descriptorsIn,
  recognise,
  open(conversation, protocol) {
    const [type = 0] = conversation.pending("c2s");
    if (protocol === STATUS) return new StatusConversation();
    const server = protocol === undefined ? undefined : serverOf(protocol);
    if (server !== undefined && !beginsWithConnectPacket(conversation.pending("c2s"))) {
      return new DeclaredConversation(conversation, server);
    }
    if (connectPackets.has(type)) return new MoulConversation(conversation, keysFor(conversation));
    return connectPacketOf(type) === undefined ? new StatusConversation() : new UndocumentedConversation(type);
  },
};
