import type { Window } from "../../src/session/dissector.js";

/** All of some bytes, as declarations read them. */
export function windowOn(bytes: Uint8Array): Window {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, view, start: 0, end: bytes.length };
}
