import { array, bool, enumeration, flag, flags, group, struct, u8 } from "moul-dissect/schema";
import { f32, i32 } from "moul-dissect/schema/big-endian";
import { vec } from "../../fields.js";
import { team } from "../fields.js";
import { material, named, physicsDriver, transform } from "./parts.js";

/** The obstacles of a world. Source: src/obstacle of 2.4; include/global.h of 2.4 (states of simple ones). */

const state = flags(u8, { DriveThrough: 1 << 0, ShootThrough: 1 << 1, FlipZ: 1 << 2, Ricochet: 1 << 3 });

const block = { position: vec, angle: f32, size: vec.doc("Half of it in x and y, all of it in z."), state };

export const wall = group({ position: vec, angle: f32, breadth: f32.doc("Half of it."), height: f32, state });
export const box = group(block);
export const pyramid = group(block);
export const base = group({ team, ...block });
export const teleporter = group({
  ...named,
  position: vec,
  angle: f32,
  size: vec,
  border: f32,
  horizontal: bool,
  state,
});

/** What curved obstacles are made of; the higher bits differ. */
const roundState = { DriveThrough: 1 << 0, ShootThrough: 1 << 1, SmoothBounce: 1 << 2, UseNormals: 1 << 3 };

/** Source: src/obstacle/ArcObstacle.cxx of 2.4. */
export const arc = group({
  transform,
  position: vec,
  size: vec,
  angle: f32,
  sweepAngle: f32,
  ratio: f32,
  divisions: i32,
  physicsDriver,
  textureSize: array(f32, 4),
  materials: array(material, 6).doc("Top, bottom, inside, outside, start face and end face."),
  state: flags(u8, { ...roundState, Ricochet: 1 << 4 }),
});

/** Source: src/obstacle/ConeObstacle.cxx of 2.4. */
export const cone = group({
  transform,
  position: vec,
  size: vec,
  angle: f32,
  sweepAngle: f32,
  divisions: i32,
  physicsDriver,
  textureSize: array(f32, 2),
  materials: array(material, 4).doc("Edge, bottom, start face and end face."),
  state: flags(u8, { ...roundState, Ricochet: 1 << 4 }),
});

/** Source: src/obstacle/SphereObstacle.cxx of 2.4. */
export const sphere = group({
  transform,
  position: vec,
  size: vec,
  angle: f32,
  divisions: i32,
  physicsDriver,
  textureSize: array(f32, 2),
  materials: array(material, 2).doc("Edge and bottom."),
  state: flags(u8, { ...roundState, Hemisphere: 1 << 4, Ricochet: 1 << 5 }),
});

const Sides = { First: 1 << 0, Second: 1 << 1, Third: 1 << 2, Fourth: 1 << 3 };
const texcoord = struct("texcoord", { u: f32, v: f32 });
const threeNormals = array(vec, 3);
const threeTexcoords = array(texcoord, 3);

/** Source: src/obstacle/TetraBuilding.cxx of 2.4. */
export const tetra = group({
  state: flags(u8, { DriveThrough: 1 << 0, ShootThrough: 1 << 1, Ricochet: 1 << 2 }),
  transform,
  vertices: array(vec, 4),
  useNormals: flags(u8, Sides),
  normals1: threeNormals.when(flag("useNormals", Sides.First)),
  normals2: threeNormals.when(flag("useNormals", Sides.Second)),
  normals3: threeNormals.when(flag("useNormals", Sides.Third)),
  normals4: threeNormals.when(flag("useNormals", Sides.Fourth)),
  useTexcoords: flags(u8, Sides),
  texcoords1: threeTexcoords.when(flag("useTexcoords", Sides.First)),
  texcoords2: threeTexcoords.when(flag("useTexcoords", Sides.Second)),
  texcoords3: threeTexcoords.when(flag("useTexcoords", Sides.Third)),
  texcoords4: threeTexcoords.when(flag("useTexcoords", Sides.Fourth)),
  materials: array(material, 4),
});

const FaceState = {
  UseNormals: 1 << 0,
  UseTexcoords: 1 << 1,
  DriveThrough: 1 << 2,
  ShootThrough: 1 << 3,
  SmoothBounce: 1 << 4,
  NoClusters: 1 << 5,
  Ricochet: 1 << 6,
};

/** Source: src/obstacle/MeshFace.cxx of 2.4. */
const face = group({
  state: flags(u8, FaceState),
  vertexCount: i32,
  vertices: array(i32, "vertexCount"),
  normals: array(i32, "vertexCount").when(flag("state", FaceState.UseNormals)),
  texcoords: array(i32, "vertexCount").when(flag("state", FaceState.UseTexcoords)),
  material,
  physicsDriver,
});

const CheckType = { CheckInside: 0, CheckOutside: 1, InsideParity: 2, OutsideParity: 3 };

const MeshState = {
  DriveThrough: 1 << 0,
  ShootThrough: 1 << 1,
  SmoothBounce: 1 << 2,
  NoClusters: 1 << 3,
  DrawInfo: 1 << 4,
  Ricochet: 1 << 5,
};

/** Source: src/obstacle/MeshObstacle.cxx of 2.4. */
export const mesh = group({
  checkCount: i32,
  checks: array(group({ type: enumeration(u8, CheckType), point: vec }), "checkCount"),
  vertexCount: i32,
  vertices: array(vec, "vertexCount"),
  normalCount: i32,
  normals: array(vec, "normalCount"),
  texcoordCount: i32,
  texcoords: array(texcoord, "texcoordCount").doc(
    "With DrawInfo in the state, the last of them are no coordinates: they hide how the mesh is best drawn.",
  ),
  faceCount: i32,
  faces: array(face, "faceCount"),
  state: flags(u8, MeshState),
});
