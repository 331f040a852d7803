import { type Decoder, Extent, type Window } from "../schema/decode.js";
import type { StructType } from "../schema/struct.js";

/**
 * Whether a message that is malformed, or of which not all may be there, shows all the same where it ends: then it needs its
 * last byte. Else it has taken whatever there is.
 *
 * @param decoder has decoded the message, and leaves it decoded
 */
export function hasKnownEnd(decoder: Decoder, type: StructType<unknown>, window: Window): boolean {
  const { bytes, view, start, end } = window;
  if (start + decoder.consumed < end) return true;
  const isKnown = !decoder.decode(type, { bytes, view, start, end: end - 1 }, Extent.Open);
  decoder.decode(type, window, Extent.Open);
  return isKnown;
}
