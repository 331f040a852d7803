import { enumeration, remarked } from "moul-dissect/schema";
import { f32, i16, u16 } from "moul-dissect/schema/big-endian";
import { FlagId } from "../enums.js";
import { shotEndReason, slotAndSalt, vec } from "../fields.js";
import { message } from "../messages.js";
import { playerId } from "./player-id.js";

/** Shots, the same in both directions. Source: facts, section 4, "shot id", "ShotEnd reason". */

const shooter = playerId.inSummary();

const path = { position: vec, velocity: vec, time: f32.doc("Age of the shot in seconds.") };

export const MsgShotBegin = message("MsgShotBegin", "sb", {
  shooter,
  shotId: remarked(u16, slotAndSalt),
  ...path,
  flagType: enumeration(u16, FlagId).doc("The flag that the shooter had. 1.7g2 may change it to none.").inSummary(),
  lifetime: f32,
});

export const MsgShotEnd = message("MsgShotEnd", "se", {
  shooter,
  shotId: remarked(i16, slotAndSalt),
  reason: shotEndReason.inSummary(),
});

/** Course of a guided missile. Also multicast. */
export const MsgGMUpdate = message("MsgGMUpdate", "gm", {
  shooter,
  shotId: remarked(u16, slotAndSalt),
  ...path,
  target: playerId.inSummary(),
});
