import type { Dissector, ProtocolMessages } from "moul-dissect/dissector";
import { connectPackets } from "./connection/connect-packet.js";
import { MoulConversation } from "./connection/conversation.js";
import { MidstreamConversation, UnreadableConversation } from "./connection/midstream/midstream-conversation.js";
import { serverSpoken, serverWithin } from "./connection/midstream/spoken-server.js";
import { SIMPLE_NET, SIMPLE_NET_PORT, SimpleNetConversation } from "./connection/simple-net-conversation.js";
import { StatusConversation } from "./connection/status/status-conversation.js";
import { recogniseStatus } from "./connection/status/status-evidence.js";
import { StatusContent, StatusReply, StatusRequest, StatusText } from "./connection/status/status-messages.js";
import { UndocumentedConversation } from "./connection/undocumented-conversation.js";
import { moulKeysIn, readMoulKeys } from "./keys/moul-keys.js";
import { ConnectionType } from "./messages/connectPacket.js";
import { serverOf, servers } from "./messages/index.js";
import { csrNet } from "./messages/simpleNet/simpleNet.js";
import { beginsWithConnectPacket, PORT, recognise } from "./recognise.js";
import { descriptorsIn, readSdlFile } from "./sdl/descriptors.js";
import { sensitiveKinds } from "./sensitiveKinds.js";
import { stateReader } from "./state/index.js";
import { textForms } from "./text-forms.js";
import { types } from "./types.js";
import { wideForms } from "./wide-forms.js";

const STATUS = "moul.status";

/** Myst Online: Uru Live. */
export const moul: Dissector = {
  name: "moul",
  types,
  otherReadings: wideForms,
  protocols: [...servers.map(({ protocol }) => protocol), SIMPLE_NET, STATUS],
  messages: new Map([
    ...servers.map(({ protocol, c2s, s2c }): [string, ProtocolMessages] => [
      protocol,
      { c2s: [...c2s.messages()], s2c: [...s2c.messages()] },
    ]),
    [SIMPLE_NET, { c2s: [...csrNet.messages()], s2c: [...csrNet.messages()] }],
    [STATUS, { c2s: [StatusRequest, StatusContent], s2c: [StatusReply, StatusText, StatusContent] }],
  ]),
  textForms,
  sensitiveKinds,
  ports: [
    { transport: "tcp", port: PORT },
    { transport: "tcp", port: SIMPLE_NET_PORT },
  ],
  keySources: "the server's dirtsand.ini, nagus_config.ini or *_key.der, or a key log",
  readKeys: readMoulKeys,
  readDefinitions: readSdlFile,
  definitionEnding: ".sdl",
  settingsFor: descriptorsIn,
  stateReader,
  isStateless: true,
  recognise,
  open(conversation, protocol) {
    if (protocol === STATUS) return new StatusConversation(conversation, true);
    const c2s = conversation.pending("c2s");
    const [type = 0] = c2s;
    const declared = protocol === undefined ? undefined : serverOf(protocol);
    if (beginsWithConnectPacket(c2s)) {
      if (type === ConnectionType.SimpleNet) return new SimpleNetConversation(true);
      return connectPackets.has(type)
        ? new MoulConversation(conversation, moulKeysIn(conversation.keys))
        : new UndocumentedConversation(type);
    }
    if (protocol === SIMPLE_NET) return new SimpleNetConversation(false);
    if (declared !== undefined) return new MidstreamConversation(conversation, declared, "declared");
    const s2c = conversation.pending("s2c");
    const isStatus = recogniseStatus({ c2s, s2c, final: conversation.ended("c2s") }) === "yes";
    if (isStatus) return new StatusConversation(conversation, false);
    const spoken = serverSpoken(c2s, s2c);
    if (spoken !== undefined) return new MidstreamConversation(conversation, spoken, "spoken");
    const within = serverWithin(c2s, s2c);
    return within === undefined
      ? new UnreadableConversation()
      : new MidstreamConversation(conversation, within, "within");
  },
};
