import type { Dissector, Opening, ProtocolMessages, Recognition } from "../../src/session/dissector.js";
import { connectPacketOf, connectPackets, dataBytesFit, HEADER_BYTES } from "./connection/connect-packet.js";
import { MoulConversation } from "./connection/conversation.js";
import {
  MidstreamConversation,
  serverOf,
  serverSpoken,
  UnreadableConversation,
} from "./connection/midstream-conversation.js";
import {
  isStatusRequest,
  RequestText,
  StatusConversation,
  StatusReply,
  StatusRequest,
  StatusText,
} from "./connection/status-conversation.js";
import { UndocumentedConversation } from "./connection/undocumented-conversation.js";
import { moulKeysIn, readMoulKeys } from "./keys/moul-keys.js";
import { servers } from "./messages/index.js";
import { descriptorsIn, readSdlFile } from "./sdl/descriptors.js";
import { types } from "./types.js";

const STATUS = "moul.status";
const PORT = 14617;
/**
 * Bytes of both directions, and of one alone, that show what a connection without its beginning is, if anything does.
 */
const BOTH_MIDSTREAM = 256;
const ONE_MIDSTREAM = 48 * 1024;

function recognise(opening: Opening): Recognition {
  if (opening.transport !== "tcp") return "no";
  const answer = recogniseBeginning(opening);
  // A server says nothing before it has the connect packet: if that is not there, it was not captured.
  const isMidstream = opening.midstream || (opening.c2s.length === 0 && opening.s2c.length > 0);
  return answer === "no" && isMidstream && opening.server.port === PORT ? recogniseMidstream(opening) : answer;
}

/**
 * A client begins with its connect packet, which says enough to be told from anything else, on any port; or it asks a
 * status server.
 */
function recogniseBeginning({ c2s, s2c, final }: Opening): Recognition {
  const [type] = c2s;
  if (type === undefined) return s2c.length > 0 ? "no" : "more";
  return connectPacketOf(type) === undefined ? isStatusRequest(c2s) : isConnectPacket(type, c2s, { final });
}

/** Without its beginning, a connection shows what it is by messages in the clear; else only its port speaks for it. */
function recogniseMidstream({ c2s, s2c, final }: Opening): "yes" | "more" {
  // A file may come in one long message, and what asked for it was before.
  const isEnough = Math.min(c2s.length, s2c.length) >= BOTH_MIDSTREAM || c2s.length + s2c.length >= ONE_MIDSTREAM;
  return final || isEnough || serverSpoken(c2s, s2c) !== undefined ? "yes" : "more";
}

function isConnectPacket(type: number, c2s: Uint8Array, { final }: Pick<Opening, "final">): Recognition {
  const view = new DataView(c2s.buffer, c2s.byteOffset, c2s.byteLength);
  if (c2s.length >= 3 && view.getUint16(1, true) !== HEADER_BYTES) return "no";
  // A connect packet that the capture has cut is one all the same.
  if (c2s.length < HEADER_BYTES + 4) return final && c2s.length >= 3 ? "yes" : "more";
  return dataBytesFit(type, view.getUint32(HEADER_BYTES, true)) ? "yes" : "no";
}

/**
 * False also for a stream in which the server speaks first: servers say nothing before they have the connect packet.
 */
function beginsWithConnectPacket(c2s: Uint8Array): boolean {
  const [type] = c2s;
  return (
    type !== undefined && connectPacketOf(type) !== undefined && isConnectPacket(type, c2s, { final: false }) !== "no"
  );
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
    [STATUS, { c2s: [StatusRequest, RequestText], s2c: [StatusReply, StatusText] }],
  ]),
  ports: [{ transport: "tcp", port: PORT }],
  readKeys: readMoulKeys,
  readDefinitions: readSdlFile,
  definitionEnding: ".sdl",
  settingsFor: descriptorsIn,
  recognise,
  open(conversation, protocol) {
    if (protocol === STATUS) return new StatusConversation();
    const c2s = conversation.pending("c2s");
    const [type = 0] = c2s;
    const declared = protocol === undefined ? undefined : serverOf(protocol);
    if (beginsWithConnectPacket(c2s)) {
      return connectPackets.has(type)
        ? new MoulConversation(conversation, moulKeysIn(conversation.keys))
        : new UndocumentedConversation(type);
    }
    if (declared === undefined && isStatusRequest(c2s) === "yes") return new StatusConversation();
    const server = declared ?? serverSpoken(c2s, conversation.pending("s2c"));
    return server === undefined
      ? new UnreadableConversation()
      : new MidstreamConversation(conversation, server, declared !== undefined);
  },
};
