import { type Decoder, Extent, type Window } from "../schema/decode.js";
import type { StructType } from "../schema/struct.js";

/**
 * Whether the end of a message is known that is malformed, or may have been cut: it is if decoding fails without the
 * last byte. Otherwise the message has taken all that the window holds.
 *
 * @param decoder has decoded the message, and leaves it decoded
 */
export function hasKnownEnd(decoder: Decoder, type: StructType<unknown>, window: Window): boolean {
  const { bytes, view, start, end } = window;
  if (start + decoder.consumed < end) return true;
  if (decoder.endless) return false;
  const isKnown = !decoder.decode(type, { bytes, view, start, end: end - 1 }, Extent.Open);
  decoder.decode(type, window, Extent.Open);
  return isKnown;
}
