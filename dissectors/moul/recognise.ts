import type { Opening, Recognition } from "moul-dissect/dissector";
import { viewOf } from "moul-dissect/schema";
import { connectPacketOf, dataBytesFit, HEADER_BYTES } from "./connection/connect-packet.js";
import { isEnoughMidstream, serverSpoken, serverWithin } from "./connection/midstream/spoken-server.js";
import { recogniseStatus } from "./connection/status/status-evidence.js";

/** The port of all servers but the status server. */
export const PORT = 14617;

/** Bytes of plain text that encrypted bytes do not look like by chance. */
const TELLING_TEXT = 16;

/** Recognises a MOUL conversation by how it begins or, without its beginning, by what is said on MOUL's port. */
export function recognise(opening: Opening): Recognition {
  if (opening.transport !== "tcp") return "no";
  const answer = recogniseBeginning(opening);
  // A server says nothing before it has the connect packet: if that is missing, it was not captured.
  const isMidstream = opening.midstream || (opening.c2s.length === 0 && opening.s2c.length > 0);
  return answer === "no" && isMidstream && opening.server.port === PORT ? recogniseMidstream(opening) : answer;
}

/**
 * A client begins with its connect packet, which is distinctive enough on any port, or with a request to a status
 * server, which is not: the answer may have to show it.
 */
function recogniseBeginning({ c2s, s2c, final }: Opening): Recognition {
  if (c2s.length === 0) return s2c.length > 0 ? "no" : "more";
  const answer = recogniseConnectPacket({ c2s, final });
  return answer === "no" ? recogniseStatus({ c2s, s2c, final }) : answer;
}

/** A connection without its beginning is known by its messages in the clear; otherwise only the port suggests MOUL. */
function recogniseMidstream({ c2s, s2c, final }: Opening): Recognition {
  if (serverSpoken(c2s, s2c) !== undefined) return "yes";
  if (!final && !isEnoughMidstream(c2s, s2c)) return "more";
  const isForeign = isSomethingElse(c2s) || isSomethingElse(s2c);
  return isForeign && serverWithin(c2s, s2c) === undefined ? "no" : "yes";
}

/** True for bytes that are not encrypted as those of MOUL are: a record of TLS (RFC 8446, section 5.1), or plain text. */
function isSomethingElse(bytes: Uint8Array): boolean {
  const [type = 0, major, minor = 0, length = 0] = bytes;
  if (type >= 20 && type <= 23 && major === 3 && minor <= 4 && length <= 0x41) return true;
  return bytes.length >= TELLING_TEXT && bytes.subarray(0, TELLING_TEXT).every(isTextual);
}

function isTextual(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function recogniseConnectPacket({ c2s, final }: Pick<Opening, "c2s" | "final">): Recognition {
  const [type] = c2s;
  if (type === undefined || connectPacketOf(type) === undefined) return "no";
  const view = viewOf(c2s);
  if (c2s.length >= 3 && view.getUint16(1, true) !== HEADER_BYTES) return "no";
  // A connect packet that the capture cut short still counts.
  if (c2s.length < HEADER_BYTES + 4) return final && c2s.length >= 3 ? "yes" : "more";
  return dataBytesFit(type, view.getUint32(HEADER_BYTES, true)) ? "yes" : "no";
}

/**
 * True if the bytes received from a client so far are those of a connect packet. Also false for a stream in which the
 * server speaks first: servers say nothing before they have the connect packet.
 */
export function beginsWithConnectPacket(c2s: Uint8Array): boolean {
  return recogniseConnectPacket({ c2s, final: false }) !== "no";
}
