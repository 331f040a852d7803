import { viewOf } from "../../src/schema/index.js";
import type { Opening, Recognition } from "../../src/session/dissector.js";
import { connectPacketOf, dataBytesFit, HEADER_BYTES } from "./connection/connect-packet.js";
import { serverSpoken } from "./connection/spoken-server.js";
import { isStatusRequest } from "./connection/status-conversation.js";

/** Where servers listen, but for the status server. */
export const PORT = 14617;

/** Bytes of both directions, and of one alone, that show what a connection without its beginning is, if anything does. */
const BOTH_MIDSTREAM = 256;
const ONE_MIDSTREAM = 48 * 1024;

/** Tells whether a conversation is one of MOUL: by how it begins, or without its beginning by what is said on the port. */
export function recognise(opening: Opening): Recognition {
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
  if (c2s.length === 0) return s2c.length > 0 ? "no" : "more";
  const answer = isConnectPacket(c2s, final);
  return answer === "no" ? isStatusRequest(c2s) : answer;
}

/** Without its beginning, a connection shows what it is by messages in the clear; else only its port speaks for it. */
function recogniseMidstream({ c2s, s2c, final }: Opening): "yes" | "more" {
  // A file may come in one long message, and what asked for it was before.
  const isEnough = Math.min(c2s.length, s2c.length) >= BOTH_MIDSTREAM || c2s.length + s2c.length >= ONE_MIDSTREAM;
  return final || isEnough || serverSpoken(c2s, s2c) !== undefined ? "yes" : "more";
}

function isConnectPacket(c2s: Uint8Array, final: boolean): Recognition {
  const [type] = c2s;
  if (type === undefined || connectPacketOf(type) === undefined) return "no";
  const view = viewOf(c2s);
  if (c2s.length >= 3 && view.getUint16(1, true) !== HEADER_BYTES) return "no";
  // A connect packet that the capture has cut is one all the same.
  if (c2s.length < HEADER_BYTES + 4) return final && c2s.length >= 3 ? "yes" : "more";
  return dataBytesFit(type, view.getUint32(HEADER_BYTES, true)) ? "yes" : "no";
}

/**
 * True if a client begins with a connect packet, as far as its bytes go. False also for a stream in which the server
 * speaks first: servers say nothing before they have the connect packet.
 */
export function beginsWithConnectPacket(c2s: Uint8Array): boolean {
  return isConnectPacket(c2s, false) !== "no";
}
