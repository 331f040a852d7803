import { bool, enumeration, struct, u8 } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { kiNumber } from "../../../common/ids/kiNumber.js";
import type { GameKind } from "./gameKind.js";

/** Source: pnGameMgr/pnGmTicTacToe.h (2011). */
const ETTTGameResult = {
  kTTTGameResultWinner: 0,
  kTTTGameResultTied: 1,
  kTTTGameResultGave: 2,
  kTTTGameResultError: 3,
};

const move = { row: u8.doc("1 to 3."), col: u8.doc("1 to 3.") };

/** A game for trying out the game manager. Source: pnGameMgr/pnGmTicTacToe.h (2011). */
export const TicTacToe: GameKind = {
  name: "TicTacToe",
  c2s: [struct("Cli2Srv_TTT_MakeMove", move)],
  s2c: [
    struct("Srv2Cli_TTT_GameStarted", { yourTurn: bool }),
    struct("Srv2Cli_TTT_GameOver", { result: enumeration(u32, ETTTGameResult), winnerId: kiNumber }),
    struct("Srv2Cli_TTT_MoveMade", { playerId: kiNumber, ...move }),
  ],
  createParam: struct("TTT_CreateParam", { playerCount: u8.doc("1 or 2.") }),
};
