import { viewOf } from "../../src/schema/index.js";
import type { Window } from "../../src/session/dissector.js";

/** All of some bytes, as declarations read them. */
export function windowOn(bytes: Uint8Array): Window {
  return { bytes, view: viewOf(bytes), start: 0, end: bytes.length };
}
