import { text } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";
import { ipv4 } from "../fields.js";
import { content, message } from "../messages.js";
import { gameInfo } from "./game.js";
import { serverId } from "./player-id.js";

/** How clients find servers on their network. Source: facts, section 8. */

export const PingCodeRequest = message("PingCodeRequest", 0x0404, { minReplyTtl: u16.inSummary() });

export const PingCodeOldRequest = message("PingCodeOldRequest", 0x0202, { data: content.sensitive("unknown") });

/** Sent to everyone, not only to the client that asked. 107c counts the header in the length. */
export const PingCodeReply = message("PingCodeReply", 0x0303, {
  version: text(8).inSummary(),
  server: serverId.doc("Address and TCP port of the server; the number is 0."),
  source: ipv4.doc("The client that asked."),
  ...gameInfo,
});

/** No program sends it any more. */
export const PingCodeOldReply = message("PingCodeOldReply", 0x0101, { data: content.sensitive("unknown") });
