import { struct } from "../../../src/schema/index.js";
import { f32 } from "../../../src/schema/little-endian.js";

/** A direction in space. Source: specification "hsVector3"; CoreLib/hsGeometry3.cpp. */
export const hsVector3 = struct("hsVector3", {
  x: f32,
  y: f32,
  z: f32,
});
