import { struct } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";

/** A direction in space. Source: specification "hsVector3"; CoreLib/hsGeometry3.cpp. */
export const hsVector3 = struct("hsVector3", {
  x: f32,
  y: f32,
  z: f32,
});
