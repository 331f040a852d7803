import { array, enumeration, equals, group, notEquals, text, u8 } from "moul-dissect/schema";
import { f32, i32, u32 } from "moul-dissect/schema/big-endian";
import { vec } from "../../fields.js";

/** What several parts of a world have in common. Source: src/net/Pack.cxx of 2.4 (texts). */

/** A text with its length before it. */
export const named = { nameLen: u32, name: text("nameLen") };

/** A text alone in a list. */
export const textItem = group(named);

/** What something is made of. */
export const material = i32.doc("Place in the list of materials.");

/** What something does to tanks on it. */
export const physicsDriver = i32.doc("Place in the list of physics drivers; -1: none.");

/** Source: include/MeshTransform.h of 2.4. */
const TransformType = { Shift: 0, Scale: 1, Shear: 2, Spin: 3, Index: 4 };

const step = group({
  type: enumeration(u8, TransformType),
  index: i32.when(equals("type", TransformType.Index)).doc("Another transform, by its place in their list."),
  data: vec.when(notEquals("type", TransformType.Index)).doc("Distance, factors, or the axis of a spin."),
  angle: f32.when(equals("type", TransformType.Spin)),
});

/** How something is moved and distorted. Source: src/game/MeshTransform.cxx of 2.4. */
export const transform = group({ ...named, count: u32, steps: array(step, "count") });
