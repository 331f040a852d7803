import type { Dissector, ProtocolMessages } from "../../src/session/dissector.js";
import { connectPackets } from "./connection/connect-packet.js";
import { MoulConversation } from "./connection/conversation.js";
import { MidstreamConversation, UnreadableConversation } from "./connection/midstream-conversation.js";
import { serverSpoken, serverWithin } from "./connection/spoken-server.js";
import { recogniseStatusRequest, StatusConversation } from "./connection/status-conversation.js";
import { StatusContent, StatusReply, StatusRequest, StatusText } from "./connection/status-messages.js";
import { UndocumentedConversation } from "./connection/undocumented-conversation.js";
import { moulKeysIn, readMoulKeys } from "./keys/moul-keys.js";
import { serverOf, servers } from "./messages/index.js";
import { beginsWithConnectPacket, PORT, recognise } from "./recognise.js";
import { descriptorsIn, readSdlFile } from "./sdl/descriptors.js";
import { types } from "./types.js";

const STATUS = "moul.status";

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
    [STATUS, { c2s: [StatusRequest, StatusContent], s2c: [StatusReply, StatusText, StatusContent] }],
  ]),
  ports: [{ transport: "tcp", port: PORT }],
  readKeys: readMoulKeys,
  readDefinitions: readSdlFile,
  definitionEnding: ".sdl",
  settingsFor: descriptorsIn,
  isStateless: true,
  recognise,
  open(conversation, protocol) {
    if (protocol === STATUS) return new StatusConversation(conversation);
    const c2s = conversation.pending("c2s");
    const [type = 0] = c2s;
    const declared = protocol === undefined ? undefined : serverOf(protocol);
    if (beginsWithConnectPacket(c2s)) {
      return connectPackets.has(type)
        ? new MoulConversation(conversation, moulKeysIn(conversation.keys))
        : new UndocumentedConversation(type);
    }
    if (declared === undefined && recogniseStatusRequest(c2s) === "yes") return new StatusConversation(conversation);
    if (declared !== undefined) return new MidstreamConversation(conversation, declared, "declared");
    const s2c = conversation.pending("s2c");
    const spoken = serverSpoken(c2s, s2c);
    if (spoken !== undefined) return new MidstreamConversation(conversation, spoken, "spoken");
    const within = serverWithin(c2s, s2c);
    return within === undefined
      ? new UnreadableConversation()
      : new MidstreamConversation(conversation, within, "within");
  },
};
