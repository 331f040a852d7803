import { message } from "../message.js";
import { propagatedBuffer } from "../propagateBuffer.js";

/** Brings a plNetMessage to the server. Source: game_server "PropagateBuffer"; pnNetProtocol/pnNpCli2Game.cpp. */
export const Cli2Game_PropagateBuffer = message("Cli2Game_PropagateBuffer", 2, propagatedBuffer);

/** Brings a plNetMessage to the client. Source: game_server "PropagateBuffer". */
export const Game2Cli_PropagateBuffer = message("Game2Cli_PropagateBuffer", 2, propagatedBuffer);
