import { BitReader } from "./bit-reader.js";
import { SUBMODES } from "./submodes.js";

/** Bits of a frame of the higher band, by submode: with those in front, which say that. Source: libspeex/nb_celp.c. */
const WIDEBAND_BITS = [4, 36, 112, 192, 352];
/** Most layers of higher bands that a frame has: one for wideband, another for ultra-wideband. */
const MOST_LAYERS = 2;

/** Submodes that are none: bytes for the application, and requests to the encoder or about the channels. */
const USER = 13;
const REQUEST = 14;

/** Bits of a request, by its number. Source: the Speex manual, section 5.5. */
const REQUEST_BITS = [1, 1, 4, 4, 4, 4, 4, 4, 8, 8, 16, 16, 32, 32, 64, 64];

/**
 * Finds the next narrowband frame, past higher bands and what is signalled in-band, and reads its submode.
 * @returns the submode; undefined if there is no whole frame, be it that a terminator comes first
 */
export function readSubmode(bits: BitReader): number | undefined {
  for (let layers = 0; bits.remaining >= 5; ) {
    if (bits.read(1) === 1) {
      const width = WIDEBAND_BITS[bits.read(3)];
      if (width === undefined || ++layers > MOST_LAYERS) return undefined;
      bits.skip(width - 4);
      continue;
    }
    const submode = bits.read(4);
    if (submode === REQUEST) {
      bits.skip(REQUEST_BITS[bits.read(4)] ?? 0);
    } else if (submode === USER) {
      // The manual says that the number of bytes has 5 bits. The decoder, which decides, skips these 5 as well.
      bits.skip(8 * bits.read(4) + 5);
    } else {
      const isWhole = submode < SUBMODES.length && bits.remaining >= (SUBMODES[submode]?.bits ?? 5) - 5;
      return isWhole ? submode : undefined;
    }
    layers = 0;
  }
  return undefined;
}

/** True if bytes have a whole frame. */
export function isSpeexFrame(bytes: Uint8Array): boolean {
  return readSubmode(new BitReader(bytes)) !== undefined;
}
