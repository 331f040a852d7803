import { u16 } from "../../../src/schema/big-endian.js";
import { array, bytes, enumeration, group, rest, text, u8 } from "../../../src/schema/index.js";
import { callsign } from "../fields.js";
import { message } from "../messages.js";
import { flagAbbreviation, namesPlayer, playerId, team } from "./fields.js";

/** Joining and leaving. Source: facts, section 10, "Enter", "AddPlayer"; truth of the capture (the others). */

const type = enumeration(u16, { TankPlayer: 0, ComputerPlayer: 1 });
const named = callsign.inSummary();
const motto = text(128).sensitive("email");

export const MsgEnter = message("MsgEnter", "en", {
  type,
  team: team.inSummary(),
  callsign: named,
  motto,
  token: text(22).sensitive("token").doc("What the list server has given the player to prove who it is."),
  clientVersion: text(60),
  padding: bytes(1).sensitive("unknown"),
});

export const MsgAccept = message("MsgAccept", "ac", { player: playerId.inSummary() });

export const MsgAddPlayer = message(
  "MsgAddPlayer",
  "ap",
  {
    player: playerId,
    type,
    team: team.inSummary(),
    wins: u16,
    losses: u16,
    teamkills: u16,
    callsign: named,
    motto,
  },
  { introduces: namesPlayer },
);

export const MsgRemovePlayer = message("MsgRemovePlayer", "rp", { player: playerId.inSummary() });
export const MsgExit = message("MsgExit", "ex", {});

/** What the server knows of the accounts of players. */
export const MsgPlayerInfo = message("MsgPlayerInfo", "pb", {
  count: u8.inSummary(),
  players: array(group({ player: playerId, bits: u8 }), "count"),
});

/** From the client: the flags that it knows. From the server: those that the client lacks. */
export const MsgNegotiateFlags = message("MsgNegotiateFlags", "nf", { flags: array(flagAbbreviation, rest) });
