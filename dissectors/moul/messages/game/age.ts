import { accountUuid } from "../../common/ids/accountUuid.js";
import { kiNumber } from "../../common/ids/kiNumber.js";
import { mcpId } from "../../common/ids/mcpId.js";
import { message, result, transactionId } from "../message.js";

/** Brings a player into an instance of an age. Source: game_server "JoinAgeRequest"; pnNetProtocol/pnNpCli2Game.cpp. */
export const Cli2Game_JoinAgeRequest = message("Cli2Game_JoinAgeRequest", 1, {
  transactionId,
  mcpId: mcpId.inSummary(),
  accountId: accountUuid,
  playerVaultNodeId: kiNumber.inSummary(),
});

/** Answers Cli2Game_JoinAgeRequest. Source: game_server "JoinAgeReply". */
export const Game2Cli_JoinAgeReply = message("Game2Cli_JoinAgeReply", 1, { transactionId, result });
