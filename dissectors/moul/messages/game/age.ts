import { uuid } from "../../../../src/schema/index.js";
import { u32 } from "../../../../src/schema/little-endian.js";
import { message, result, transactionId } from "../message.js";

/** Brings a player into an instance of an age. Source: game_server "JoinAgeRequest"; pnNetProtocol/pnNpCli2Game.cpp. */
export const Cli2Game_JoinAgeRequest = message("Cli2Game_JoinAgeRequest", 1, {
  transactionId,
  mcpId: u32.doc("The instance, as the auth server's AgeReply names it.").inSummary(),
  accountId: uuid,
  playerVaultNodeId: u32.doc("The KI number.").inSummary(),
});

/** Answers Cli2Game_JoinAgeRequest. Source: game_server "JoinAgeReply". */
export const Game2Cli_JoinAgeReply = message("Game2Cli_JoinAgeReply", 1, { transactionId, result });
