import { struct } from "../../../src/schema/index.js";
import { f32 } from "../../../src/schema/little-endian.js";

/** A place in space. Source: specification "hsPoint3"; CoreLib/hsGeometry3.cpp. */
export const hsPoint3 = struct("hsPoint3", {
  x: f32,
  y: f32,
  z: f32,
});
