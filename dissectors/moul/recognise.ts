import { viewOf } from "../../src/schema/index.js";
import type { Opening, Recognition } from "../../src/session/dissector.js";
import { connectPacketOf, dataBytesFit, HEADER_BYTES } from "./connection/connect-packet.js";
import { isEnoughMidstream, serverSpoken } from "./connection/spoken-server.js";
import { recogniseStatus } from "./connection/status-evidence.js";

/** The port of all servers but the status server. */
export const PORT = 14617;

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
function recogniseMidstream({ c2s, s2c, final }: Opening): "yes" | "more" {
  return final || isEnoughMidstream(c2s, s2c) || serverSpoken(c2s, s2c) !== undefined ? "yes" : "more";
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
