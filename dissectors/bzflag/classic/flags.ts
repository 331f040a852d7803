import { enumeration } from "moul-dissect/schema";
import { f32, u16 } from "moul-dissect/schema/big-endian";
import { FlagId, FlagStatus, FlagType, TeamColor } from "../enums.js";
import { vec } from "../fields.js";
import { message } from "../messages.js";
import { playerId } from "./player-id.js";

/** Flags, and the teams that they belong to. Source: facts, section 4, structure `Flag`. */

const flagNum = u16.doc("Index of the flag in the game.").inSummary();

/** State of a flag. */
const flag = {
  flagId: enumeration(u16, FlagId).inSummary(),
  status: enumeration(u16, FlagStatus).inSummary(),
  type: enumeration(u16, FlagType),
  owner: playerId.doc("Who has it while it is on a tank; in MsgDropFlag, who had it."),
  position: vec.doc("Where it is on the ground."),
  launch: vec,
  landing: vec,
  flightTime: f32.doc("Seconds since it was thrown."),
  flightEnd: f32.doc("Seconds from throwing to landing."),
  initialVelocity: f32.doc("Upwards."),
};

export const MsgFlagUpdate = message("MsgFlagUpdate", "fu", { flagNum, ...flag });

export const MsgGrabFlagRequest = message("MsgGrabFlag", "gf", { flagNum });
export const MsgGrabFlag = message("MsgGrabFlag", "gf", { player: playerId.inSummary(), flagNum, ...flag });

export const MsgDropFlagRequest = message("MsgDropFlag", "df", { position: vec });

/** Also sent when the server takes a flag away: then its status is FlagNoExist. */
export const MsgDropFlag = message("MsgDropFlag", "df", { player: playerId.inSummary(), flagNum, ...flag });

const base = enumeration(u16, TeamColor).doc("The team whose base the flag was brought to.").inSummary();

export const MsgCaptureFlagReport = message("MsgCaptureFlag", "cf", { team: base });
export const MsgCaptureFlag = message("MsgCaptureFlag", "cf", { player: playerId.inSummary(), flagNum, team: base });

export const MsgTeamUpdate = message("MsgTeamUpdate", "tu", {
  team: enumeration(u16, TeamColor).inSummary(),
  size: u16.doc("Players of the team."),
  active: u16.doc("Players of the team that take part in the game."),
  wins: u16,
  losses: u16,
});
