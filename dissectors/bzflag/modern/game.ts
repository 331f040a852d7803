import { f32, u16, u32 } from "../../../src/schema/big-endian.js";
import { array, enumeration, group, rest, text, u8 } from "../../../src/schema/index.js";
import { chatText } from "../fields.js";
import { message } from "../messages.js";
import { playerId } from "./fields.js";

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
  shakeTimeout: u16.doc("In tenths of seconds."),
  shakeWins: u16,
  syncTime: u32,
});

const variable = group({ nameLen: u8, name: text("nameLen"), valueLen: u8, value: text("valueLen") });

/** Variables of the server. */
export const MsgSetVar = message("MsgSetVar", "sv", { count: u16.inSummary(), vars: array(variable, "count") });

/** Clock of the server, in milliseconds. */
export const MsgGameTime = message("MsgGameTime", "gt", {
  msecHi: u32.varies(),
  msecLo: u32.varies(),
});

const to = playerId.inSummary();

export const MsgMessageRequest = message("MsgMessage", "mg", { to, text: chatText.inSummary() });
export const MsgMessage = message("MsgMessage", "mg", {
  from: playerId.inSummary(),
  to,
  type: enumeration(u8, { ChatMessage: 0, ActionMessage: 1 }),
  text: text(rest).sensitive("chat").inSummary(),
});

export const MsgLagPing = message("MsgLagPing", "pi", { seqno: u16.inSummary() });

/** Opens the UDP side: sent as a datagram, from the port number of the TCP connection. */
export const MsgUDPLinkRequest = message("MsgUDPLinkRequest", "of", { player: playerId.inSummary() });
export const MsgUDPLinkAnswer = message("MsgUDPLinkRequest", "of", {});
export const MsgUDPLinkEstablished = message("MsgUDPLinkEstablished", "og", {});
