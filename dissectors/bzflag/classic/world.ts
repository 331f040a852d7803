import {
  array,
  bytes,
  enumeration,
  Family,
  flags,
  type Members,
  packed,
  polymorphic,
  rest,
  type StructType,
  secondText,
  struct,
  text,
  withTwin,
} from "moul-dissect/schema";
import { f32, u16, u32 } from "moul-dissect/schema/big-endian";
import { GameStyle, TeamColor } from "../enums.js";
import { vec } from "../fields.js";
import { code, codeOf, message } from "../messages.js";

/** The world: how it is fetched, and what is in it. Source: facts, section 6. */

export const MsgGetWorldRequest = message("MsgGetWorld", "gw", {
  offset: u16.doc("Bytes of the world that the client already has.").inSummary(),
});

export const MsgGetWorld = message("MsgGetWorld", "gw", {
  remaining: u16.doc("Bytes of the world from the requested offset on, including those in this message.").inSummary(),
  data: bytes({ field: "len", plus: -2 }).doc("At most 256 bytes."),
});

export const MsgWantWHashRequest = message("MsgWantWHash", "wh", {}, { doc: "From 1.7g0 on." });

/** Shows whether the world that the client has cached is still the right one. */
export const MsgWantWHash = message("MsgWantWHash", "wh", {
  digest: text(34).doc('"t" (temporary) or "p" (permanent), then an MD5 in hexadecimal.').inSummary(),
});

const time = packed(
  u32,
  withTwin((seconds: number) => `${secondText(seconds)}Z`, "time"),
).varies();

const block = { center: vec.doc("In z, the bottom."), angle: f32 };
const solid = { ...block, width: f32.doc("Half of it."), depth: f32.doc("Half of it."), height: f32.doc("All of it.") };

function worldBlock(name: string, letters: string | number, members: Members): StructType<unknown> {
  return struct(name, members, { tag: codeOf(letters) });
}

/** What a world consists of. */
export const blocks: readonly StructType<unknown>[] = [
  worldBlock("WorldStyle", "st", {
    length: u16.doc("Bytes that follow. Only this block has a length."),
    gameStyle: flags(u16, GameStyle).inSummary(),
    maxPlayers: u16.inSummary(),
    maxShots: u16,
    maxFlags: u16,
    linearAcceleration: f32,
    angularAcceleration: f32,
    shakeTimeout: u16.doc("In tenths of a second."),
    shakeWins: u16,
    serverTime: time,
  }),
  worldBlock("WorldBase", "ba", {
    team: enumeration(u16, TeamColor),
    ...block,
    size: struct("size", { x: f32.doc("Half of it."), y: f32.doc("Half of it.") }),
    safety: vec.doc("Where a flag goes if it is dropped on the base of a third team."),
  }),
  worldBlock("WorldWall", "wl", { ...block, width: f32.doc("Half of it."), height: f32 }),
  worldBlock("WorldBox", "bx", solid),
  worldBlock("WorldPyramid", "py", solid),
  worldBlock("WorldTeleporter", "te", { ...solid, border: f32 }),
  worldBlock("WorldLink", "ln", { from: u16.doc("Face of a teleporter."), to: u16 }),
  worldBlock("WorldEnd", "ed", {}),
  // Follows the end, once for each base that a random world lacks.
  worldBlock("WorldMissingBase", 0, { zeros: bytes(38) }),
];

/** The same, distinguished by their codes. */
export const worldBlocks = new Family("world block", "code", code);
worldBlocks.register(...blocks);

/** The world, assembled from the chunks of a download. */
export const World = struct("World", { blocks: array(polymorphic(worldBlocks), rest) });
