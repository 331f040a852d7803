import { messageTables, type ServerMessages } from "../messageTable.js";
import { Cli2Game_Connect } from "./connect.js";
import * as messages from "./messages.js";

/** The game server, where the players of one instance of an age meet. Source: game_server. */
export const game: ServerMessages = {
  protocol: "moul.game",
  connect: Cli2Game_Connect,
  begin: "type",
  isEncrypted: true,
  ...messageTables("Game", messages),
};
