import { flags, remarked } from "moul-dissect/schema";
import { f32, i16, u16 } from "moul-dissect/schema/big-endian";
import { PlayerStatus } from "../enums.js";
import { vec } from "../fields.js";
import { message } from "../messages.js";
import { playerId } from "./player-id.js";

/** What tanks do, and what happens to them. Source: facts, section 4. */

const player = playerId.inSummary();
const place = { position: vec, forward: vec };

export const MsgAliveRequest = message("MsgAlive", "al", place, { doc: "Says that the client's tank comes alive." });
export const MsgAlive = message("MsgAlive", "al", { player, ...place });

const killer = playerId.doc("Who gets the credit: possibly nobody, or the victim itself.").inSummary();
const shotId = remarked(i16, (shot) => (shot === -1 ? "no shot" : undefined)).doc("The killer's shot that hit.");

export const MsgKilledReport = message(
  "MsgKilled",
  "kl",
  { killer, shotId },
  { doc: "Says that the client's tank was hit." },
);
export const MsgKilled = message("MsgKilled", "kl", { victim: playerId.inSummary(), killer, shotId });

const score = { wins: u16.inSummary(), losses: u16.inSummary() };

/** What the client believes the score to be; from 1.7g0 on the server keeps count itself. */
export const MsgScoreReport = message("MsgScore", "sc", score);
export const MsgScore = message("MsgScore", "sc", { player, ...score });

const faces = {
  from: u16.doc("Face of a teleporter: teleporter N has faces 2N and 2N+1.").inJson("fromFace").inSummary(),
  to: u16.inJson("toFace").inSummary(),
};

export const MsgTeleportReport = message("MsgTeleport", "tp", faces);
export const MsgTeleport = message("MsgTeleport", "tp", { player, ...faces });

/** Where a tank is and how it moves; sent when others would otherwise guess wrong. Both directions, and multicast. */
export const MsgPlayerUpdate = message("MsgPlayerUpdate", "pu", {
  player,
  status: flags(i16, PlayerStatus).inJson("tankStatus").inSummary(),
  position: vec,
  velocity: vec,
  azimuth: f32.doc("In radians from the x axis."),
  angularVelocity: f32,
});
