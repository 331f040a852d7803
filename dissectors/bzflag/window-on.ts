import type { Window } from "moul-dissect/dissector";
import { viewOf } from "moul-dissect/schema";

/** A window on all of the given bytes. */
export function windowOn(bytes: Uint8Array): Window {
  return { bytes, view: viewOf(bytes), start: 0, end: bytes.length };
}
