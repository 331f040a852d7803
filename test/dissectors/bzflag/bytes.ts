import { concat, numbers, text } from "../../support/packets.js";

/** Bytes of BZFlag messages, made by hand from the facts sheet. */

export const SERVER = "192.0.2.2";

export function u8(...values: readonly number[]): Uint8Array {
  return Uint8Array.from(values);
}

export function u16(...values: readonly number[]): Uint8Array {
  return concat(...values.map((value) => numbers([2, value & 0xffff])));
}

export function u32(...values: readonly number[]): Uint8Array {
  return concat(...values.map((value) => numbers([4, value])));
}

export function f32(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, index) => {
    view.setFloat32(4 * index, value);
  });
  return bytes;
}

/** Text in a field of fixed width. */
export function str(width: number, value: string): Uint8Array {
  const bytes = new Uint8Array(width);
  bytes.set(text(value));
  return bytes;
}

export function ascii(value: string): Uint8Array {
  return text(value);
}

/** A framed message. */
export function msg(code: string | number, ...payload: readonly Uint8Array[]): Uint8Array {
  const body = concat(...payload);
  return concat(u16(body.length), typeof code === "string" ? text(code) : u16(code), body);
}

/** A player id of the 1.7 protocol. */
export function pid(address: readonly [number, number, number, number], port: number, number = 0): Uint8Array {
  return concat(u8(...address), u16(port, number));
}

export const NOBODY = new Uint8Array(8);

/** The 18 numbers of a game: 0 to 17. */
export const GAME_INFO = u16(...Array.from({ length: 18 }, (_, index) => index));

export function hello(version: string, port: number): Uint8Array {
  return concat(text(version), u16(port));
}

/** MsgEnter of the 1.7 protocol. */
export function enter(player: Uint8Array, callsign: string, team = 1): Uint8Array {
  return msg("en", player, u16(0, team), str(32, callsign), str(128, "mail@example.org"));
}

/** MsgAddPlayer of the 1.7 protocol; with the assigned id, as 1.7e6 sends it to the player itself. */
export function addPlayer(player: Uint8Array, callsign: string, assigned: Uint8Array = u8()): Uint8Array {
  return msg("ap", player, u16(0, 1, 3, 4), str(32, callsign), str(128, "mail@example.org"), assigned);
}

/** A datagram of the UDP link. */
export function feed(
  lastRecv: number,
  ...packets: readonly (readonly [seq: number, message: Uint8Array])[]
): Uint8Array {
  const parts = packets.map(([seq, message]) => concat(u16(message.length, seq), message));
  return concat(u16(0xfeed, lastRecv), ...parts, u16(0xffff));
}

export { concat };
