import { bytes, enumeration, packed, rest, struct, text } from "moul-dissect/schema";
import { f32, u16, u32 } from "moul-dissect/schema/big-endian";
import { ShotEndReason } from "./enums.js";

/** A position, direction or velocity. Source: facts, notation, `vec`. */
export const vec = struct("vec", { x: f32, y: f32, z: f32 });

/** An IPv4 address in dotted notation. */
export function dotted(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join(".");
}

/** IPv4 address. */
export const ipv4 = packed(u32, dotted).sensitive("ip-address");

/** Name of a player. Source: facts, section 1, CallSignLen. */
export const callsign = text(32).sensitive("player-name");

/** Source: facts, section 1, EmailLen. */
export const email = text(128).sensitive("email");

/** What a player says; bytes after the first zero are meaningless and may be anything. Source: facts, MessageLen. */
export const chatText = text(128).sensitive("chat");

/** The parts of a shot's number: the slot it uses, and a salt that distinguishes it from earlier shots; -1: no shot. */
export function slotAndSalt(shot: number): string {
  return shot === -1 ? "no shot" : `slot ${shot & 0xff}, salt ${(shot >> 8) & 0x7f}`;
}

/** Why a shot ended. */
export const shotEndReason = enumeration(u16, ShotEndReason).doc("As specified; programs show an explosion for 0.");

/** Bytes of another protocol. */
export const UnexpectedData = struct("UnexpectedData", { undissected: bytes(rest).sensitive("unknown") });
