import { array, bool, enumeration, equals, flag, flags, group, type Members, struct, u8 } from "moul-dissect/schema";
import { f32, i16, i32, u16 } from "moul-dissect/schema/big-endian";
import { PlayerStatus } from "../enums.js";
import { vec } from "../fields.js";
import { message } from "../messages.js";
import { flagAbbreviation, playerId, scaled, shotId } from "./fields.js";

/** What tanks do, and what happens to them. Source: facts, section 10; truth of the capture. */

const player = playerId.inSummary();

export const MsgAliveRequest = message("MsgAlive", "al", {}, { doc: "Asks for a place to come alive." });
export const MsgAlive = message("MsgAlive", "al", { player, position: vec, azimuth: f32 });

/** State of a tank. Source: facts, section 5 (up to Falling); src/common/PlayerState.cxx of 2.4 (newer ones). */
const TankStatus = { ...PlayerStatus, OnDriver: 1 << 7, UserInputs: 1 << 8, JumpJets: 1 << 9, PlaySound: 1 << 10 };

/** Largest magnitude of a scaled number; it stands for pi radians. */
const FULL_SCALE = 32766;
const toTurn = scaled(Math.PI / FULL_SCALE).doc("In units of pi/32766 radians.");
const toPlace = scaled(0.02).doc("In units of 0.02.");
const toSpeed = scaled(0.01).doc("In units of 0.01 per second.");
const toSpin = scaled(0.001).doc("In units of 0.001 radians per second.");

function update(motion: Members): Members {
  return {
    timestamp: f32.doc("Clock of the sender, in seconds."),
    player,
    order: i32.doc("Sequence number of the update: an older one that arrives late is useless."),
    status: flags(i16, TankStatus).inJson("tankStatus").inSummary(),
    ...motion,
    jumpjetsRaw: scaled(1 / FULL_SCALE).when(flag("status", TankStatus.JumpJets)),
    physicsDriver: i32.when(flag("status", TankStatus.OnDriver)),
    userSpeedRaw: toSpeed.when(flag("status", TankStatus.UserInputs)),
    userAngularVelocityRaw: toSpin.when(flag("status", TankStatus.UserInputs)),
    sounds: u8.when(flag("status", TankStatus.PlaySound)),
  };
}

/** Where a tank is and how it moves. A tank that is far away or fast needs this longer form. */
export const MsgPlayerUpdate = message(
  "MsgPlayerUpdate",
  "pu",
  update({ position: vec, velocity: vec, azimuth: f32, angularVelocity: f32 }),
);

/** The same in 16-bit numbers. */
export const MsgPlayerUpdateSmall = message(
  "MsgPlayerUpdateSmall",
  "ps",
  update({
    positionRaw: struct("position", { x: toPlace, y: toPlace, z: toPlace }),
    velocityRaw: struct("velocity", { x: toSpeed, y: toSpeed, z: toSpeed }),
    azimuthRaw: toTurn,
    angularVelocityRaw: toSpin,
  }),
);

/** Why a tank blew up. Source: playing.h of 2.4. */
const KillReason = {
  GotKilledMsg: 0,
  GotShot: 1,
  GotRunOver: 2,
  GotCaptured: 3,
  GenocideEffect: 4,
  SelfDestruct: 5,
  WaterDeath: 6,
  PhysicsDriverDeath: 0x7064,
};

const killed = {
  killer: playerId.inSummary(),
  reason: enumeration(i16, KillReason).inSummary(),
  shotId,
  flag: flagAbbreviation,
};
const physicsDriver = i32.when(equals("reason", KillReason.PhysicsDriverDeath));

export const MsgKilledReport = message("MsgKilled", "kl", { ...killed, physicsDriver });
export const MsgKilled = message("MsgKilled", "kl", { victim: player, ...killed, physicsDriver });

export const MsgScore = message("MsgScore", "sc", {
  count: u8,
  scores: array(group({ player: playerId, wins: u16, losses: u16, teamkills: u16 }), "count"),
});

export const MsgAutoPilotRequest = message("MsgAutoPilot", "au", { on: bool.inSummary() });
export const MsgAutoPilot = message("MsgAutoPilot", "au", { player, on: bool.inSummary() });

const doors = { from: u16.inSummary(), to: u16.inSummary() };

/** A tank goes through a teleporter: in by one side, out by another. Source: src/bzfs/bzfs.cxx of 2.4. */
export const MsgTeleportReport = message("MsgTeleport", "tp", doors);
export const MsgTeleport = message("MsgTeleport", "tp", { player, ...doors });

/** A player pauses, or resumes. Source: src/bzfs/bzfs.cxx of 2.4. */
export const MsgPauseRequest = message("MsgPause", "pa", { paused: bool.inSummary() });
export const MsgPause = message("MsgPause", "pa", { player, paused: bool.inSummary() });
