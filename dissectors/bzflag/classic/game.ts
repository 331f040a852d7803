import { enumeration, flags } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";
import { GameStyle, TeamColor } from "../enums.js";
import { message } from "../messages.js";
import { playerId } from "./player-id.js";

/** The game as a whole. Source: facts, section 4, "Game info". */

/** The 18 numbers that describe a server's game. */
export const gameInfo = {
  gameStyle: flags(u16, GameStyle),
  maxPlayers: u16,
  maxShots: u16,
  rogueCount: u16,
  redCount: u16,
  greenCount: u16,
  blueCount: u16,
  purpleCount: u16,
  rogueMax: u16,
  redMax: u16,
  greenMax: u16,
  blueMax: u16,
  purpleMax: u16,
  shakeWins: u16.doc("Wins that free a player from a bad flag."),
  shakeTimeout: u16.doc("Time that frees a player from a bad flag, in tenths of a second."),
  maxPlayerScore: u16,
  maxTeamScore: u16,
  maxTime: u16.doc("In seconds."),
};

export const MsgQueryGameRequest = message("MsgQueryGame", "qg", {}, { doc: "Also allowed before MsgEnter." });
export const MsgQueryGame = message("MsgQueryGame", "qg", gameInfo);

export const MsgQueryPlayersRequest = message("MsgQueryPlayers", "qp", {}, { doc: "Also allowed before MsgEnter." });

/** This many MsgTeamUpdate and MsgAddPlayer follow. */
export const MsgQueryPlayers = message("MsgQueryPlayers", "qp", { teams: u16.inSummary(), players: u16.inSummary() });

/** Remaining time: sent on joining, every 30 seconds, and once with 0 at the end. */
export const MsgTimeUpdate = message("MsgTimeUpdate", "to", { seconds: u16.inSummary() });

/** A player or a team has won. */
export const MsgScoreOver = message("MsgScoreOver", "so", {
  player: playerId.inSummary(),
  team: enumeration(u16, TeamColor).doc("NoTeam: the player has won.").inSummary(),
});
