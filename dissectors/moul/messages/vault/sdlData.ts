import { group, within } from "moul-dissect/schema";
import { u32 } from "moul-dissect/schema/little-endian";
import { sdlBlob } from "../../sdl/sdlBlob.js";

/** What an SDL node holds: state of an age, or a piece of clothing. Source: vault "SDL", SDLData. */
export const sdlData = group({
  byteCount: u32,
  sdlBlob: within("byteCount", sdlBlob),
});
