import type { Decoder } from "../../schema/decode/decode.js";
import { Extent, type Window } from "../../schema/decode/window.js";
import type { StructType } from "../../schema/language/struct.js";

/**
 * True if the end of a message that is malformed, or may have been cut, is known: that is, if decoding fails without
 * the last byte. Otherwise the message took everything that the window holds.
 *
 * @param decoder has decoded the message, and still has it decoded afterwards
 */
export function hasKnownEnd(decoder: Decoder, type: StructType<unknown>, window: Window): boolean {
  const { bytes, view, start, end } = window;
  if (start + decoder.consumed < end) return true;
  if (decoder.endless) return false;
  const isKnown = !decoder.decode(type, { bytes, view, start, end: end - 1 }, Extent.Open);
  decoder.decode(type, window, Extent.Open);
  return isKnown;
}
