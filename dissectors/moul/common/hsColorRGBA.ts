import { struct } from "../../../src/schema/index.js";
import { f32 } from "../../../src/schema/little-endian.js";

/** A colour with opacity. Source: corrections section 4; CoreLib/hsColorRGBA.h. */
export const hsColorRGBA = struct("hsColorRGBA", {
  r: f32,
  g: f32,
  b: f32,
  a: f32,
});
