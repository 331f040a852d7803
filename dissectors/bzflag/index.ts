import type {
  ConversationDissector,
  ConversationHandle,
  Dissector,
  Opening,
  Recognition,
} from "moul-dissect/dissector";
import { GameConversation } from "./classic/game-conversation.js";
import { HelloConversation } from "./classic/hello-conversation.js";
import { UdpConversation } from "./classic/udp-conversation.js";
import { newest, type Version, versionNamed, versions } from "./classic/versions.js";
import { ListConversation } from "./list/list-conversation.js";
import { LIST_PROTOCOL } from "./list/messages.js";
import { ModernConversation } from "./modern/conversation.js";
import { MODERN_PROTOCOL } from "./modern/tables.js";
import { PING_PROTOCOL } from "./pings.js";
import { BROADCAST_PORT, beginsWithHello, countDatagram, kindOf, RECONNECT_PORT, SERVER_PORT } from "./recognise.js";
import { stateReader } from "./state/index.js";
import { linkForms, messages, types } from "./types.js";

function recognise(opening: Opening): Recognition {
  const kind = kindOf(opening);
  if (kind === undefined) return "no";
  if (kind === "more") return "more";
  return kind.is !== "possibly modern" || countDatagram(opening, kind.isOneWay) ? "yes" : "more";
}

/** Opens a conversation that was recognised. */
function recognised(handle: ConversationHandle): ConversationDissector {
  const { transport, client, server, shared, midstream } = handle;
  const [c2s, s2c, final] = [handle.pending("c2s"), handle.pending("s2c"), handle.ended("c2s")];
  const kind = kindOf({ transport, client, server, shared, midstream, c2s, s2c, final });
  if (kind === undefined || kind === "more") return new GameConversation(handle, newest);
  switch (kind.is) {
    case "hello":
      return new HelloConversation(handle);
    case "modern":
    case "possibly modern":
      return new ModernConversation(handle);
    case "list":
      return new ListConversation(handle);
    case "udp":
      return new UdpConversation(handle, undefined);
    case "game":
      return new GameConversation(handle, kind.version);
  }
}

/** Opens a conversation that the user declared to be of a version of the 1.7 protocol. */
function declared(handle: ConversationHandle, version: Version): ConversationDissector {
  if (handle.transport === "udp") return new UdpConversation(handle, version);
  return beginsWithHello(handle.pending("s2c")) ? new HelloConversation(handle) : new GameConversation(handle, version);
}

/** BZFlag: the 1.7 protocol (BZFS107x), its list servers, the modern protocol (BZFS0221), and pings of all versions. */
export const bzflag: Dissector = {
  name: "bzflag",
  types,
  protocols: [...versions.map(({ protocol }) => protocol), MODERN_PROTOCOL, PING_PROTOCOL, LIST_PROTOCOL],
  messages,
  otherForms: linkForms,
  ports: [
    { transport: "tcp", port: SERVER_PORT },
    { transport: "tcp", port: RECONNECT_PORT },
    { transport: "tcp", port: BROADCAST_PORT },
    { transport: "udp", port: SERVER_PORT },
    { transport: "udp", port: BROADCAST_PORT },
  ],
  // Of links over UDP, and list servers.
  announces: true,
  isStateless: true,
  stateReader,
  recognise,
  open(conversation, protocol) {
    if (protocol === LIST_PROTOCOL) return new ListConversation(conversation);
    if (protocol === PING_PROTOCOL) return new UdpConversation(conversation, undefined);
    if (protocol === MODERN_PROTOCOL) return new ModernConversation(conversation);
    const version = versionNamed(protocol);
    return version === undefined ? recognised(conversation) : declared(conversation, version);
  },
};
