import { struct } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";

/** A colour with opacity. Source: corrections section 4; CoreLib/hsColorRGBA.h. */
export const hsColorRGBA = struct("hsColorRGBA", {
  r: f32,
  g: f32,
  b: f32,
  a: f32,
});
