import { array, enumeration, group, text, u8 } from "moul-dissect/schema";
import { f32, u16, u32 } from "moul-dissect/schema/big-endian";
import { FlagStatus, FlagType } from "../enums.js";
import { vec } from "../fields.js";
import { message } from "../messages.js";
import { flagAbbreviation, playerId, team } from "./fields.js";

/** Flags and teams. Source: facts, section 10, "flag record", "FlagUpdate / TeamUpdate / Score". */

const flagNum = u16.doc("Index of the flag in the game.").inSummary();

const flag = {
  flagNum,
  abbrev: flagAbbreviation.inSummary(),
  status: enumeration(u16, FlagStatus).inSummary(),
  endurance: enumeration(u16, FlagType),
  owner: playerId,
  position: vec,
  launch: vec,
  landing: vec,
  flightTime: f32,
  flightEnd: f32,
  initialVelocity: f32,
};

export const MsgFlagUpdate = message("MsgFlagUpdate", "fu", {
  count: u16,
  flags: array(group(flag), "count").inJson("updates"),
});

export const MsgGrabFlagRequest = message("MsgGrabFlag", "gf", { flagNum });
export const MsgGrabFlag = message("MsgGrabFlag", "gf", { player: playerId.inSummary(), ...flag });

export const MsgDropFlagRequest = message("MsgDropFlag", "df", { position: vec });
export const MsgDropFlag = message("MsgDropFlag", "df", { player: playerId.inSummary(), ...flag });

/** A flag has been brought to a base. Source: src/bzfs/bzfs.cxx of 2.4. */
export const MsgCaptureFlagReport = message("MsgCaptureFlag", "cf", { team: team.inSummary() });
export const MsgCaptureFlag = message("MsgCaptureFlag", "cf", {
  player: playerId.inSummary(),
  flagNum,
  team: team.inSummary(),
});

const betweenPlayers = { from: playerId.inSummary(), to: playerId.inSummary() };

/** A flag goes from one player to another. Source: src/bzfs/bzfs.cxx of 2.4. */
export const MsgTransferFlagRequest = message("MsgTransferFlag", "tf", betweenPlayers);
export const MsgTransferFlag = message("MsgTransferFlag", "tf", { ...betweenPlayers, ...flag });

/** The flag nearest to a tank that can identify flags. Source: src/bzfs/bzfs.cxx of 2.4. */
export const MsgNearFlag = message("MsgNearFlag", "Nf", {
  position: vec,
  nameLen: u32,
  name: text("nameLen").inSummary(),
});

/** A flag that clients cannot know. Source: src/common/Flag.cxx of 2.4. */
export const MsgFlagType = message("MsgFlagType", "ft", {
  abbrev: flagAbbreviation.inSummary(),
  quality: u8,
  shotType: u8,
  nameLen: u32,
  name: text("nameLen").inSummary(),
  helpLen: u32,
  help: text("helpLen"),
});

export const MsgTeamUpdate = message("MsgTeamUpdate", "tu", {
  count: u8,
  teams: array(group({ team, size: u16, won: u16, lost: u16 }), "count"),
});
