import { bytes } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";

/** When the client sent a ping, by a clock of its own. Source: protocol "Ping messages". */
export const pingTime = u32
  .doc("Milliseconds on a clock of the client's own; the server sends it back as it is.")
  .standsFor("ping", "conversation");

/** Optional data of a ping. Source: protocol "Ping messages". */
export const pingPayload = {
  payloadByteCount: u32,
  payload: bytes("payloadByteCount").sensitive("unknown").doc("Sent back as it is; clients leave it empty."),
};
