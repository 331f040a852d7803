import { group, within } from "../../../../src/schema/index.js";
import { u32 } from "../../../../src/schema/little-endian.js";
import { sdlBlob } from "../../common/sdlBlob.js";

/** What an SDL node holds: state of an age, or a piece of clothing. Source: vault "SDL", SDLData. */
export const sdlData = group({
  byteCount: u32,
  sdlBlob: within("byteCount", sdlBlob),
});
