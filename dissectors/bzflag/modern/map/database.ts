import { array, flag, flags, group, masked, rest, struct, text, u8, within } from "moul-dissect/schema";
import { f32, i32, u16, u32 } from "moul-dissect/schema/big-endian";
import { vec } from "../../fields.js";
import { flagAbbreviation, lastText, team } from "../fields.js";
import { driver, dynamicColor, surface, textureMatrix } from "./appearance.js";
import { arc, base, box, cone, mesh, pyramid, sphere, teleporter, tetra, wall } from "./obstacles.js";
import { material, named, physicsDriver, transform } from "./parts.js";

/** What a world of 2.4 consists of. Source: src/bzfs/WorldInfo.cxx of 2.4 (`packDatabase`). */

const InstanceBits = {
  ModifyTeam: 1 << 0,
  ModifyColor: 1 << 1,
  ModifyPhysicsDriver: 1 << 2,
  ModifyMaterial: 1 << 3,
  DriveThrough: 1 << 4,
  ShootThrough: 1 << 5,
  Ricochet: 1 << 6,
};

const swaps = array(i32, rest).doc(
  "Hidden behind the zero of the name, if any: how many materials are swapped, then the old and the new one of each.",
);

/** A group of obstacles, put somewhere. Source: src/obstacle/ObstacleMgr.cxx of 2.4. */
const instance = group({
  groupLen: u32,
  group: text("groupLen"),
  nameLen: u32,
  nameAndSwaps: within("nameLen", group({ name: lastText, swaps })),
  transform,
  bits: flags(u8, InstanceBits),
  team: team.when(flag("bits", InstanceBits.ModifyTeam)),
  tint: array(f32, 4).when(flag("bits", InstanceBits.ModifyColor)),
  physicsDriver: physicsDriver.when(flag("bits", InstanceBits.ModifyPhysicsDriver)),
  material: material.when(flag("bits", InstanceBits.ModifyMaterial)),
});

/** Those of the world itself, which have no name, or of a group. Source: src/obstacle/ObstacleMgr.cxx of 2.4. */
const obstacles = struct("obstacles", {
  ...named,
  wallCount: u32,
  walls: array(wall, "wallCount"),
  boxCount: u32,
  boxes: array(box, "boxCount"),
  pyramidCount: u32,
  pyramids: array(pyramid, "pyramidCount"),
  baseCount: u32,
  bases: array(base, "baseCount"),
  teleporterCount: u32,
  teleporters: array(teleporter, "teleporterCount"),
  meshCount: u32,
  meshes: array(mesh, "meshCount"),
  arcCount: u32,
  arcs: array(arc, "arcCount"),
  coneCount: u32,
  cones: array(cone, "coneCount"),
  sphereCount: u32,
  spheres: array(sphere, "sphereCount"),
  tetraCount: u32,
  tetras: array(tetra, "tetraCount"),
  instanceCount: u32,
  instances: array(instance, "instanceCount"),
});

/** Source: src/game/LinkManager.cxx of 2.4. */
const link = group({ fromLen: u32, from: text("fromLen"), toLen: u32, to: text("toLen") });

/** A weapon of the world. Source: src/bzfs/WorldWeapons.cxx of 2.4. */
const weapon = group({
  flag: flagAbbreviation,
  origin: vec,
  direction: f32,
  initialDelay: f32,
  delayCount: u16,
  delays: array(f32, "delayCount"),
});

/** Where tanks and flags may appear. Source: src/bzfs/EntryZones.cxx and src/bzfs/WorldFileLocation.cxx of 2.4. */
const zone = group({
  position: vec,
  size: vec,
  rotation: f32,
  flagCount: u16,
  teamCount: u16,
  safetyCount: u16,
  flags: array(flagAbbreviation, "flagCount"),
  teams: array(team, "teamCount"),
  safeties: array(team, "safetyCount"),
});

/** Bit of a single-precision number that makes it negative. */
const SIGN = 0x8000_0000;

const waterMaterial = i32.doc("Place in the list of materials.");

/** The inflated world. */
export const WorldDatabase = struct("WorldDatabase", {
  dynamicColorCount: u32,
  dynamicColors: array(dynamicColor, "dynamicColorCount"),
  textureMatrixCount: u32,
  textureMatrices: array(textureMatrix, "textureMatrixCount"),
  materialCount: u32,
  materials: array(surface, "materialCount"),
  physicsDriverCount: u32,
  physicsDrivers: array(driver, "physicsDriverCount"),
  transformCount: u32,
  transforms: array(transform, "transformCount"),
  world: obstacles,
  groupCount: u32,
  groups: array(obstacles, "groupCount"),
  linkCount: u32,
  links: array(link, "linkCount"),
  waterLevel: f32.doc("Negative: there is no water."),
  waterMaterial: waterMaterial.when(masked("waterLevel", SIGN, 0)),
  // Programs compare numbers: -0, which a map may have, is not below 0.
  waterMaterialAtMinusZero: waterMaterial.when(masked("waterLevel", 0xffff_ffff, SIGN)).inJson("waterMaterial"),
  weaponCount: u32,
  weapons: array(weapon, "weaponCount"),
  zoneCount: u32,
  zones: array(zone, "zoneCount"),
});
