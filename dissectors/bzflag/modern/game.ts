import { array, choice, enumeration, group, remarked, rest, struct, text, u8 } from "moul-dissect/schema";
import { f32, i16, i32, u16, u32 } from "moul-dissect/schema/big-endian";
import { chatText } from "../fields.js";
import { message } from "../messages.js";
import { afterText, lastText, playerId, team as winner } from "./fields.js";

/** The game as a whole, chat, and how messages travel. Source: facts, section 10; truth of the capture. */

export const MsgWantSettings = message("MsgWantSettings", "ws", {});

export const MsgGameSettings = message("MsgGameSettings", "gs", {
  worldSize: f32,
  gameType: u16,
  gameOptions: u16,
  maxPlayers: u16,
  maxShots: u16,
  maxFlags: u16,
  linearAcceleration: f32,
  angularAcceleration: f32,
  shakeTimeout: u16.doc("In tenths of a second."),
  shakeWins: u16,
  syncTime: u32,
});

const variable = group({ nameLen: u8, name: text("nameLen"), valueLen: u8, value: text("valueLen") });

/** Variables of the server. */
export const MsgSetVar = message("MsgSetVar", "sv", { count: u16.inSummary(), vars: array(variable, "count") });

/**
 * Clock of the server: microseconds since 1970, plus half of the time that an answer of the client takes. Source:
 * src/common/GameTime.cxx of 2.4.
 */
export const MsgGameTime = message("MsgGameTime", "gt", {
  msecHi: u32.varies(),
  msecLo: u32.varies(),
});

const to = playerId.inSummary();

/** Bytes of a message with a text of full length. */
const FULL_CHAT = 129;

/** Clients pad what is typed, but not the "/?" with which they ask for a server's commands ("/cmds"). */
export const MsgMessageRequest = message("MsgMessage", "mg", {
  to,
  text: choice("len", { [FULL_CHAT]: chatText.inSummary() }, text(rest).sensitive("chat").inSummary()),
});
export const MsgMessage = message("MsgMessage", "mg", {
  from: playerId.inSummary(),
  to,
  type: enumeration(u8, { ChatMessage: 0, ActionMessage: 1 }),
  text: lastText.sensitive("chat").inSummary(),
  padding: afterText,
});

export const MsgLagPing = message("MsgLagPing", "pi", { seqno: u16.inSummary() });

/** Opens the UDP side: sent as a datagram, from the port number of the TCP connection. */
export const MsgUDPLinkRequest = message("MsgUDPLinkRequest", "of", { player: playerId.inSummary() });
export const MsgUDPLinkAnswer = message("MsgUDPLinkRequest", "of", {});
export const MsgUDPLinkEstablished = message("MsgUDPLinkEstablished", "og", {});

// Source of what follows: src/bzfs/bzfs.cxx of 2.4; src/bzflag/playing.cxx of 2.4 (what only plugins send).

export const MsgTimeUpdate = message("MsgTimeUpdate", "to", {
  timeLeft: remarked(i32, (seconds) => (seconds === -1 ? "the game is paused" : undefined))
    .doc("In seconds.")
    .inSummary(),
});

/** A player, or a team, has reached the score that ends the game. */
export const MsgScoreOver = message("MsgScoreOver", "so", { player: playerId.inSummary(), team: winner.inSummary() });

export const MsgNewRabbitRequest = message("MsgNewRabbit", "nR", {});
export const MsgNewRabbit = message("MsgNewRabbit", "nR", { player: playerId.inSummary() });

export const MsgHandicap = message("MsgHandicap", "hc", {
  count: u8,
  players: array(group({ player: playerId, handicap: i16 }), "count"),
});

const teamNumbers = struct("teamNumbers", { rogue: u16, red: u16, green: u16, blue: u16, purple: u16, observer: u16 });

export const MsgQueryGameRequest = message("MsgQueryGame", "qg", {});
export const MsgQueryGame = message("MsgQueryGame", "qg", {
  gameType: u16,
  gameOptions: u16,
  maxPlayers: u16,
  maxShots: u16,
  teamSizes: teamNumbers,
  teamMaxima: teamNumbers,
  shakeWins: u16,
  shakeTimeout: u16.doc("In tenths of a second."),
  maxPlayerScore: u16,
  maxTeamScore: u16,
  maxTime: u16.doc("In seconds."),
  timeElapsed: u16.doc("In seconds."),
});

export const MsgQueryPlayersRequest = message("MsgQueryPlayers", "qp", {});
export const MsgQueryPlayers = message("MsgQueryPlayers", "qp", { numTeams: u16, numPlayers: u16.inSummary() });

/** Where the world can be fetched instead. */
export const MsgCacheURL = message("MsgCacheURL", "cu", {
  url: lastText.sensitive("ip-address").inSummary(),
  padding: afterText,
});

const resource = group({ type: u16, urlLen: u16, url: text("urlLen").sensitive("ip-address") });
export const MsgFetchResources = message("MsgFetchResources", "fr", {
  count: u16,
  resources: array(resource, "count"),
});

export const MsgCustomSound = message("MsgCustomSound", "cs", {
  type: u16.inJson("soundType"),
  nameLen: u16,
  name: text("nameLen").inSummary(),
});

export const MsgReplayReset = message("MsgReplayReset", "rr", { lastPlayer: playerId });
