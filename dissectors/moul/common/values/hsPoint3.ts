import { struct } from "moul-dissect/schema";
import { f32 } from "moul-dissect/schema/little-endian";

/** A place in space. Source: specification "hsPoint3"; CoreLib/hsGeometry3.cpp. */
export const hsPoint3 = struct("hsPoint3", {
  x: f32,
  y: f32,
  z: f32,
});
