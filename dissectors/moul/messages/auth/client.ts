import { u32 } from "moul-dissect/schema/little-endian";
import { message } from "../message.js";

/** Opens the conversation. Source: auth_server "ClientRegisterRequest". */
export const Cli2Auth_ClientRegisterRequest = message("Cli2Auth_ClientRegisterRequest", 1, {
  buildId: u32.inSummary(),
});

/** Gives the challenge for the login. Source: auth_server "ClientRegisterReply". */
export const Auth2Cli_ClientRegisterReply = message("Auth2Cli_ClientRegisterReply", 3, {
  serverChallenge: u32.sensitive("password").doc("Random; goes into the hash that the client logs in with.").varies(),
});

/** Says that the player's rank in customer care changed. Source: auth_server "ClientSetCCRLevel". */
export const Cli2Auth_ClientSetCCRLevel = message("Cli2Auth_ClientSetCCRLevel", 2, { ccrLevel: u32.inSummary() });
