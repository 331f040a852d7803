import { viewOf } from "../../src/schema/index.js";
import type { Window } from "../../src/session/dissector.js";

/** A window on all of the given bytes. */
export function windowOn(bytes: Uint8Array): Window {
  return { bytes, view: viewOf(bytes), start: 0, end: bytes.length };
}
