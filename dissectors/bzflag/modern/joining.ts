import { array, bytes, choice, type DecodedTree, enumeration, group, rest, text, u8 } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";
import { callsign, ipv4 } from "../fields.js";
import { message } from "../messages.js";
import { flagAbbreviation, namesPlayer, playerId, team } from "./fields.js";

/** Families of addresses. Servers leave out that of their own players: then 127.0.0.1 itself begins here. */
const AddressFamily = { IPv4: 4, IPv6: 6, LocalHost: 127 };
const address = choice(
  "family",
  { 4: ipv4, 6: bytes(16).sensitive("ip-address"), 127: bytes(3).public() },
  bytes(rest).sensitive("ip-address"),
);

/** Joining and leaving. Source: facts, section 10, "Enter", "AddPlayer"; truth of the capture (the others). */

const type = enumeration(u16, { TankPlayer: 0, ComputerPlayer: 1 });
const named = callsign.inSummary();
const motto = text(128).sensitive("text");

export const MsgEnter = message("MsgEnter", "en", {
  type,
  team: team.inSummary(),
  callsign: named,
  motto,
  token: text(22).sensitive("token").doc("What the list server gave the player as proof of identity."),
  // Includes the operating system and the day on which the client was built.
  clientVersion: text(60).sensitive("machine"),
  padding: bytes(1).sensitive("unknown"),
});

/** Why a client may not join. Source: include/Protocol.h of 2.4. */
export const RejectCode = {
  RejectBadRequest: 0,
  RejectBadTeam: 1,
  RejectBadType: 2,
  RejectBadMotto: 3,
  RejectTeamFull: 4,
  RejectServerFull: 5,
  RejectBadCallsign: 6,
  RejectRepeatCallsign: 7,
  RejectRejoinWaitTime: 8,
  RejectIPBanned: 9,
  RejectHostBanned: 10,
  RejectIDBanned: 11,
};

/** The server refuses a player, for example a banned one. Source: src/bzfs/bzfs.cxx of 2.4. */
export const MsgReject = message("MsgReject", "rj", {
  reason: enumeration(u16, RejectCode).inSummary(),
  text: text(128).sensitive("text").inSummary(),
});

/** The client has to leave. Source: src/bzfs/bzfs.cxx of 2.4. */
export const MsgSuperKill = message("MsgSuperKill", "sk", {});

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

/**
 * What the server knows about the accounts of players. It counts the members of all teams but lists those who are
 * playing, and teams are "wrong at some time". Source: src/bzfs/bzfs.cxx of 2.4 (`sendPlayerInfo`, `fixTeamCount`).
 */
export const MsgPlayerInfo = message("MsgPlayerInfo", "pb", {
  count: u8.inSummary(),
  players: array(group({ player: playerId, bits: u8 }), rest),
});

/** Notes in the tree of a `MsgPlayerInfo` that the server counted another number of players than it lists. */
export function remarkCount(nodes: DecodedTree): void {
  const players = nodes.child(0, "players");
  if (nodes.outcome !== "ok" || players < 0) return;
  const count = nodes.numberIn(0, "count") ?? 0;
  const listed = nodes.bytes(players).length / 2;
  if (count !== listed) nodes.note("ok", "note", nodes.child(0, "count"), `the server lists ${listed}`);
}

/** What network administrators see of players. Source: src/bzfs/GameKeeper.cxx of 2.4 (`packAdminInfo`). */
const adminInfo = group({
  addressLen: u8.doc("Bytes of the address, but 5 for the 4 of a player that the server itself plays."),
  player: playerId,
  address: group({ family: enumeration(u8, AddressFamily), ip: address }),
});

export const MsgAdminInfo = message("MsgAdminInfo", "ai", {
  count: u8.inSummary(),
  players: array(adminInfo, "count"),
});

/** From the client: the flags that it knows. From the server: those that the client lacks. */
export const MsgNegotiateFlags = message("MsgNegotiateFlags", "nf", { flags: array(flagAbbreviation, rest) });
