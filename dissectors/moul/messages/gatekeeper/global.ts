import { message, transactionId } from "../message.js";
import { pingPayload, pingTime } from "../ping.js";

/** Keeps the connection alive. Source: gatekeeper_server "PingRequest"; plNetGameLib/plNglGateKeeper.cpp. */
export const Cli2GateKeeper_PingRequest = message("Cli2GateKeeper_PingRequest", 0, {
  pingTime,
  transactionId,
  ...pingPayload,
});

/** Returns a ping. Source: gatekeeper_server "PingReply". */
export const GateKeeper2Cli_PingReply = message("GateKeeper2Cli_PingReply", 0, {
  pingTime,
  transactionId,
  ...pingPayload,
});
