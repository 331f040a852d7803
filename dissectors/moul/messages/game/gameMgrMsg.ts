import { choice, reference, resolved, struct, undeclared, within } from "../../../../src/schema/index.js";
import { u32 } from "../../../../src/schema/little-endian.js";
import { message, transactionId } from "../message.js";
import {
  Cli2Srv_Game_Invite,
  Cli2Srv_Game_LeaveGame,
  Cli2Srv_Game_Uninvite,
  Cli2Srv_GameMgr_CreateGame,
  Cli2Srv_GameMgr_JoinGame,
  Srv2Cli_Game_InviteFailed,
  Srv2Cli_Game_OwnerChange,
  Srv2Cli_Game_PlayerJoined,
  Srv2Cli_Game_PlayerLeft,
  Srv2Cli_GameMgr_GameInstance,
  Srv2Cli_GameMgr_InviteReceived,
  Srv2Cli_GameMgr_InviteRevoked,
} from "./gameMgr.js";
import { gameBody } from "./games/index.js";

const GAME_MANAGER = 0;

/** What only one kind of game understands, if the traffic has not shown which, or the kind has no such message. */
const GameSpecific = struct("GameSpecific", {
  data: undeclared("What this means depends on the kind of game, which an earlier GameInstance message names."),
});

/** What only one kind of game understands: its number has been given to the client together with the kind. */
function gameSpecific(direction: "c2s" | "s2c") {
  return resolved((member, _settings, nameOf) => {
    const kind = nameOf("game", String(member("receivingGameId")));
    const body = kind === undefined ? undefined : gameBody(kind, direction, Number(member("messageId")));
    return body ?? GameSpecific;
  });
}

const UnknownGameMgr = struct("UnknownGameMgr", {
  data: undeclared("The game manager has no message of this number."),
});

const gameMsgHeader = {
  messageId: u32.doc("Numbered by the game manager and by each kind of game for itself.").inSummary(),
  transactionId,
  receivingGameId: reference(u32, "game").doc("0: the game manager, else the number of a game.").inSummary(),
  messageByteCount: u32.doc("Length of this message, header included."),
};

/** To the game manager, or to one of its games. Source: pnGameMgr/pnGameMgr.h, GameMsgHeader. */
export const Cli2Srv_GameMsg = struct("Cli2Srv_GameMsg", {
  ...gameMsgHeader,
  body: choice(
    "receivingGameId",
    {
      [GAME_MANAGER]: choice(
        "messageId",
        { 0: Cli2Srv_GameMgr_CreateGame, 1: Cli2Srv_GameMgr_JoinGame },
        UnknownGameMgr,
      ),
    },
    choice(
      "messageId",
      { 0: Cli2Srv_Game_LeaveGame, 1: Cli2Srv_Game_Invite, 2: Cli2Srv_Game_Uninvite },
      gameSpecific("c2s"),
    ),
  ),
});

/** From the game manager, or from one of its games. Source: pnGameMgr/pnGameMgr.h, GameMsgHeader. */
export const Srv2Cli_GameMsg = struct("Srv2Cli_GameMsg", {
  ...gameMsgHeader,
  body: choice(
    "receivingGameId",
    {
      [GAME_MANAGER]: choice(
        "messageId",
        { 0: Srv2Cli_GameMgr_GameInstance, 1: Srv2Cli_GameMgr_InviteReceived, 2: Srv2Cli_GameMgr_InviteRevoked },
        UnknownGameMgr,
      ),
    },
    choice(
      "messageId",
      {
        0: Srv2Cli_Game_PlayerJoined,
        1: Srv2Cli_Game_PlayerLeft,
        2: Srv2Cli_Game_InviteFailed,
        3: Srv2Cli_Game_OwnerChange,
      },
      gameSpecific("s2c"),
    ),
  ),
});

/** Brings a message to the game manager or to a game. Source: pnNetProtocol/pnNpCli2Game.cpp. */
export const Cli2Game_GameMgrMsg = message("Cli2Game_GameMgrMsg", 3, {
  bufferLength: u32,
  buffer: within("bufferLength", Cli2Srv_GameMsg),
});

/** Brings a message from the game manager or from a game. Source: pnNetProtocol/pnNpCli2Game.cpp. */
export const Game2Cli_GameMgrMsg = message("Game2Cli_GameMgrMsg", 3, {
  bufferLength: u32,
  buffer: within("bufferLength", Srv2Cli_GameMsg),
});
