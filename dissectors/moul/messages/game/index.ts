import { MessageTable, type ServerMessages } from "../messageTable.js";
import { Cli2Game_JoinAgeRequest, Game2Cli_JoinAgeReply } from "./age.js";
import { Cli2Game_Connect } from "./connect.js";
import { Cli2Game_PropagateBuffer, Game2Cli_PropagateBuffer } from "./game.js";
import { Cli2Game_GameMgrMsg, Game2Cli_GameMgrMsg } from "./gameMgrMsg.js";
import { Cli2Game_PingRequest, Game2Cli_PingReply } from "./global.js";

/** The game server, where the players of one instance of an age meet. Source: game_server. */
export const game: ServerMessages = {
  protocol: "moul.game",
  connect: Cli2Game_Connect,
  begin: "type",
  isEncrypted: true,
  c2s: new MessageTable([Cli2Game_PingRequest, Cli2Game_JoinAgeRequest, Cli2Game_PropagateBuffer, Cli2Game_GameMgrMsg]),
  s2c: new MessageTable([Game2Cli_PingReply, Game2Cli_JoinAgeReply, Game2Cli_PropagateBuffer, Game2Cli_GameMgrMsg]),
};
