import { uuid } from "../../../../src/schema/index.js";
import { u32 } from "../../../../src/schema/little-endian.js";
import { ipv4, message, netString, result, transactionId } from "../message.js";

/** Asks for the way to an instance of an age. Source: auth_server "AgeRequest"; pnNetProtocol/pnNpCli2Auth.cpp. */
export const Cli2Auth_AgeRequest = message("Cli2Auth_AgeRequest", 36, {
  transactionId,
  fileName: netString.inSummary(),
  instanceUuid: uuid,
});

/** Gives the way to an instance of an age. Source: auth_server "AgeReply". */
export const Auth2Cli_AgeReply = message("Auth2Cli_AgeReply", 35, {
  transactionId,
  result,
  mcpId: u32.doc("What the client names in its Cli2Game_JoinAgeRequest."),
  instanceUuid: uuid,
  ageVaultNodeId: u32.inSummary(),
  serverIpAddress: ipv4.doc("Where the game server is.").inSummary(),
});
