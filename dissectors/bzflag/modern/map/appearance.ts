import { array, enumeration, flag, flags, group, notEquals, struct, text, u8 } from "moul-dissect/schema";
import { f32, i32, u32 } from "moul-dissect/schema/big-endian";
import { vec } from "../../fields.js";
import { named, textItem } from "./parts.js";

/** How the surfaces of a world look and move. */

const sinusoid = group({ period: f32, offset: f32, weight: f32 });
const clamp = group({ period: f32, offset: f32, width: f32 });

const channel = struct("channel", {
  minValue: f32,
  maxValue: f32,
  sinusoidCount: u32,
  sinusoids: array(sinusoid, "sinusoidCount"),
  clampUpCount: u32,
  clampUps: array(clamp, "clampUpCount"),
  clampDownCount: u32,
  clampDowns: array(clamp, "clampDownCount"),
  sequenceCount: u32,
  sequencePeriod: f32.when(notEquals("sequenceCount", 0)),
  sequenceOffset: f32.when(notEquals("sequenceCount", 0)),
  sequence: array(enumeration(u8, { Minimum: 0, Middle: 1, Maximum: 2 }), "sequenceCount"),
});

/** A colour that changes. Source: src/game/DynamicColor.cxx of 2.4. */
export const dynamicColor = group({ ...named, red: channel, green: channel, blue: channel, alpha: channel });

const TextureMatrixState = { Static: 1 << 0, Dynamic: 1 << 1 };
const uv = { u: f32, v: f32 };
const scale = struct("scale", uv);
const center = struct("center", uv);

/** How a texture lies and moves. Source: src/game/TextureMatrix.cxx of 2.4. */
export const textureMatrix = group({
  ...named,
  state: flags(u8, TextureMatrixState),
  fixed: struct("fixed", {
    rotation: f32,
    shift: struct("shift", uv),
    scale,
    center,
  }).when(flag("state", TextureMatrixState.Static)),
  moving: struct("moving", {
    spinFrequency: f32,
    shiftFrequency: struct("shiftFrequency", uv),
    scaleFrequency: struct("scaleFrequency", uv),
    scale,
    center,
  }).when(flag("state", TextureMatrixState.Dynamic)),
});

const color = struct("color", { red: f32, green: f32, blue: f32, alpha: f32 });

const texture = group({
  ...named,
  matrix: i32.doc("Place in the list of texture matrices; -1: none."),
  combineMode: enumeration(i32, { Replace: 0, Modulate: 1, Decal: 2, Blend: 3, Add: 4, Combine: 5 }),
  state: flags(u8, { UseAlpha: 1 << 0, UseColor: 1 << 1, UseSphereMap: 1 << 2 }),
});

const MaterialMode = {
  NoCulling: 1 << 0,
  NoSorting: 1 << 1,
  NoRadar: 1 << 2,
  NoShadow: 1 << 3,
  Occluder: 1 << 4,
  GroupAlpha: 1 << 5,
  NoLighting: 1 << 6,
};

/** A material. Source: src/game/BzMaterial.cxx of 2.4. */
export const surface = group({
  ...named,
  mode: flags(u8, MaterialMode),
  dynamicColor: i32.doc("Place in the list of dynamic colors; -1: none."),
  ambient: color,
  diffuse: color,
  specular: color,
  emission: color,
  shininess: f32,
  alphaThreshold: f32,
  textureCount: u8,
  textures: array(texture, "textureCount"),
  shaderCount: u8,
  shaders: array(textItem, "shaderCount"),
});

const position = struct("position", { x: f32, y: f32 });

/** What a surface does to tanks on it. Source: src/game/PhysicsDriver.cxx of 2.4. */
export const driver = group({
  ...named,
  linear: vec,
  angularVelocity: f32,
  angularPosition: position,
  radialVelocity: f32,
  radialPosition: position,
  slideTime: f32,
  deathMessageLen: u32,
  deathMessage: text("deathMessageLen").doc("If not empty: the surface kills, and this is what is said then."),
});
