import { bytes, text, u8 } from "moul-dissect/schema";
import { u16 } from "moul-dissect/schema/big-endian";
import { ipv4 } from "../fields.js";
import { message } from "../messages.js";

/** Has the same code and length as the reply of the 1.7 protocol. Source: src/net/Ping.cxx of 2.4. */
export const PingCodeReply = message("PingCodeReply", 0x0303, {
  version: text(8).inSummary(),
  serverHost: ipv4,
  serverPort: u16,
  serverNumber: u16,
  sourceFamily: u8.doc("4: IPv4."),
  source: ipv4.doc("The client that asked."),
  gameType: u16,
  gameOptions: u16,
  maxShots: u16,
  shakeWins: u16,
  shakeTimeout: u16.doc("In tenths of a second."),
  maxPlayerScore: u16,
  maxTeamScore: u16,
  maxTime: u16.doc("In seconds."),
  maxPlayers: u8,
  rogueCount: u8,
  rogueMax: u8,
  redCount: u8,
  redMax: u8,
  greenCount: u8,
  greenMax: u8,
  blueCount: u8,
  blueMax: u8,
  purpleCount: u8,
  purpleMax: u8,
  observerCount: u8,
  observerMax: u8,
  padding: bytes(6).sensitive("unknown"),
});
