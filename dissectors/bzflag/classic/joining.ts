import { enumeration, equals, remarked, withTwin } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";
import { PlayerType, RejectCode, TeamColor } from "../enums.js";
import { callsign, email } from "../fields.js";
import { message } from "../messages.js";
import { namesPlayer, playerId } from "./player-id.js";

/** Joining and leaving. Source: facts, section 4. */

const type = enumeration(u16, PlayerType);
const team = enumeration(u16, TeamColor).inSummary();
const named = callsign.inSummary();
const identity = { player: playerId, type, team };

/** Asks to join. A call sign that begins with "@" makes an observer (1.7e6 and later). */
export const MsgEnter = message(
  "MsgEnter",
  "en",
  { ...identity, callsign: named, email },
  { introduces: namesPlayer("player", { provisional: true }) },
);

/** Grants MsgEnter or MsgNetworkRelay. */
export const MsgAccept = message("MsgAccept", "ac", {});

/** Refuses MsgEnter, with a code; or MsgNetworkRelay, without one. */
export const MsgReject = message("MsgReject", "rj", {
  rejectCode: enumeration(u16, RejectCode).when(equals("len", 2)).inSummary(),
});

const added = { ...identity, wins: u16, losses: u16, callsign: named, email };

/** Says that a player is in the game. */
export const MsgAddPlayer = message("MsgAddPlayer", "ap", added, { introduces: namesPlayer("player") });

/** The same from 1.7e6 on: the copy sent to the player itself adds the id that the server assigned to it. */
export const MsgAddPlayer17e6 = message(
  "MsgAddPlayer",
  "ap",
  {
    ...added,
    assignedPlayer: playerId
      .when(equals("len", 184))
      .doc("The id assigned by the server; the client confirms it with MsgIdAck."),
  },
  { introduces: [namesPlayer("player"), namesPlayer("assignedPlayer")] },
);

/** Confirms the id that the server assigned, which is used from here on. From 1.7e6 on. */
export const MsgIdAck = message("MsgIdAck", "id", {});

/** Says that a player has left. */
export const MsgRemovePlayer = message("MsgRemovePlayer", "rp", { player: playerId.inSummary() });

/** Leaves the game. */
export const MsgExit = message("MsgExit", "ex", {});

/** The client has to hang up at once. */
export const MsgSuperKill = message("MsgSuperKill", "sk", {});

const version = remarked(
  u16,
  withTwin((number: number) => `0x${number.toString(16)}`, "hex"),
).inJson("versionNumber");

/** Version of the program; 0x17a0 in 1.7g2. From 1.7e1 on. */
export const MsgClientVersion = message("MsgClientVersion", "oj", { version });

/** The same, as 1.7e1 sends it: with the code of MsgServerControl, by mistake. */
export const MsgClientVersion17e1 = message("MsgClientVersion", "oi", { version });
