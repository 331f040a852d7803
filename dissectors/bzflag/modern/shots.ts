import { f32 } from "moul-dissect/schema/big-endian";
import { shotEndReason, vec } from "../fields.js";
import { message } from "../messages.js";
import { flagAbbreviation, playerId, shotId, team } from "./fields.js";

/** Shots, the same in both directions. Source: truth of the capture. */

export const MsgShotBegin = message("MsgShotBegin", "sb", {
  timeSent: f32,
  player: playerId.inSummary(),
  shotId,
  position: vec,
  velocity: vec,
  dt: f32.doc("Age of the shot in seconds."),
  team,
  flag: flagAbbreviation.inSummary(),
  lifetime: f32,
});

/** Course of a guided missile. Source: src/common/ShotUpdate.cxx of 2.4. */
export const MsgGMUpdate = message("MsgGMUpdate", "gm", {
  player: playerId.inSummary(),
  shotId,
  position: vec,
  velocity: vec,
  dt: f32.doc("Age of the shot in seconds."),
  team,
  target: playerId.inSummary(),
});

export const MsgShotEnd = message("MsgShotEnd", "se", {
  player: playerId.inSummary(),
  shotId,
  reason: shotEndReason.inSummary(),
});
