import { message } from "../message.js";
import { pingTime } from "../ping.js";

/** Keeps the connection alive. Source: game_server "PingRequest"; pnNetProtocol/pnNpCli2Game.cpp. */
export const Cli2Game_PingRequest = message("Cli2Game_PingRequest", 0, { pingTime });

/** Returns a ping. Source: game_server "PingReply". */
export const Game2Cli_PingReply = message("Game2Cli_PingReply", 0, { pingTime });
