import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { fieldsOf, linesOf, type Said, Talks } from "../../support/talk.js";
import { expectTiling } from "../../support/tiling.js";
import { ascii, concat, f32, hello, msg, pid, SERVER, u8, u16, u32 } from "./bytes.js";
import { MODERN_WORLD } from "./modern-world.js";

const style = concat(ascii("st"), u16(24, 8, 20, 3, 16), f32(0, 0), u16(0, 0), u32(1));
const wall = concat(ascii("wl"), f32(1, 2, 3, 0, 400, 6));
const world = concat(style, wall, wall, ascii("ed"));

/** A world in chunks of a given length, as a server sends them. */
function chunks(bytes: Uint8Array, length: number): Said[] {
  const said: Said[] = [];
  for (let offset = 0; offset < bytes.length; offset += length) {
    said.push(["c", msg("gw", u16(offset))]);
    said.push(["s", msg("gw", u16(bytes.length - offset), bytes.subarray(offset, offset + length))]);
  }
  said.push(["c", msg("gw", u16(bytes.length))], ["s", msg("gw", u16(0))]);
  return said;
}

function download(said: readonly Said[]) {
  const run = new Talks([bzflag]).tcp([SERVER, 5155], [["s", hello("BZFS107e", 6000)]]).tcp([SERVER, 6000], said);
  const messages = run.end();
  expect(run.errors).toEqual([]);
  return messages;
}

/** The world that a modern client downloads in two chunks. */
function downloadModern(bytes: Uint8Array) {
  const said: Said[] = [
    ["c", ascii("BZFLAG\r\n\r\n")],
    ["s", msg("gw", u32(bytes.length), bytes.subarray(0, 12))],
    ["s", msg("gw", u32(0), bytes.subarray(12))],
  ];
  return new Talks([bzflag]).tcp([SERVER, 5154], said).end().at(-1);
}

function at(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

describe("the world download", () => {
  it("does not show a world of which a chunk is longer than what it says remains", () => {
    const names = (remaining: number) => download([["s", msg("gw", u16(remaining), world)]]).map(({ name }) => name);
    expect(names(world.length)).toContain("World");
    expect(names(world.length - 1)).not.toContain("World");
  });

  it("shows the world right after the chunk that completes it, over its own byte source", () => {
    const messages = download(chunks(world, 30));
    const at = messages.findIndex(({ name }) => name === "World");
    expect(linesOf(messages.slice(at - 1, at + 3))).toEqual([
      "bzflag.107e s2c MsgGetWorld ok",
      "bzflag.107e s2c World ok",
      "bzflag.107e c2s MsgGetWorld ok",
      "bzflag.107e s2c MsgGetWorld ok",
    ]);
    const found = messages[at];
    expect(found?.nodes?.sources).toMatchObject([{ kind: "assembled", length: world.length, parent: -1 }]);
    if (found?.nodes !== undefined) expectTiling(found.nodes);
    expect(found?.length).toBe(world.length);
    // One frame for each of the three chunks.
    expect(found?.frames).toHaveLength(Math.ceil(world.length / 30));
    expect(found?.number).toBe(at + 1);
    expect(messages.map(({ number }) => number)).toEqual(messages.map((_, index) => index + 1));
    const tree = found?.toTree();
    expect(tree).toMatchObject({ sources: [{ id: 0, kind: "assembled", length: world.length }] });
  });

  it("is shown again for each download", () => {
    const messages = download([...chunks(world, 40), ...chunks(world, 256)]);
    expect(messages.filter(({ name }) => name === "World")).toHaveLength(2);
  });

  it("starts over when a client starts over", () => {
    const messages = download([...chunks(world, 30).slice(0, 2), ...chunks(world, 30)]);
    const worlds = messages.filter(({ name }) => name === "World");
    expect(worlds.map(({ length }) => length)).toEqual([world.length]);
  });

  it("is not shown if its beginning is missing", () => {
    const messages = download(chunks(world, 30).slice(2));
    expect(messages.filter(({ name }) => name === "World")).toEqual([]);
    expect(messages.every(({ status }) => status === "ok")).toBe(true);
  });

  it("shows an unknown block and the rest as one leaf", () => {
    const messages = download(chunks(concat(style, ascii("qq"), u8(1, 2, 3)), 256));
    const found = messages.find(({ name }) => name === "World");
    expect(found?.status).toBe("unknown");
    expect(fieldsOf(found)).toMatchObject({ blocks: [{ class: "WorldStyle" }, { code: "qq", undissected: "010203" }] });
  });

  it("says where a world violates its format", () => {
    const messages = download(chunks(concat(style, wall.subarray(0, 9)), 256));
    const found = messages.find(({ name }) => name === "World");
    expect(found?.status).toBe("malformed");
    expect(found?.notes[0]?.path).toBe("blocks[1].center.undissected");
  });

  it("inflates a modern world", () => {
    const found = downloadModern(MODERN_WORLD);
    expect(found).toMatchObject({ status: "ok", notes: [] });
    if (found?.nodes !== undefined) expectTiling(found.nodes);
    expect(found?.nodes?.sources).toMatchObject([{ kind: "assembled" }, { kind: "inflated", length: 2606 }]);
    expect(fieldsOf(found)).toMatchObject({ mapVersion: 1, inflatedSize: 2606, compressedSize: 669, endCode: "ed" });
    const database = at(fieldsOf(found), "database");
    expect(database).toMatchObject({
      dynamicColors: [{ name: "dyn", alpha: { sequencePeriod: 5, sequence: ["Minimum", "Middle", "Maximum"] } }],
      textureMatrices: [
        { state: ["Static", "Dynamic"], fixed: { scale: { u: 2, v: 3 } }, moving: { spinFrequency: 0.5 } },
      ],
      physicsDrivers: [{ linear: { x: 1, y: 2, z: 3 }, deathMessage: "drowned" }],
      transforms: [{ steps: [{ type: "Shift" }, { type: "Scale" }, { type: "Spin", data: { x: 0, y: 0, z: 1 } }] }],
      linkCount: 1,
      links: [{ from: "north:f", to: "south:b" }],
      waterLevel: 1.5,
      waterMaterial: 0,
      weapons: [{ flag: "GM", origin: { x: 5, y: 5, z: 10 }, initialDelay: 3, delays: [4, 5] }],
      zones: [{ flags: ["GM", "L"], teams: ["RedTeam", "GreenTeam"], safeties: ["RedTeam"] }],
    });
    expect(at(database, "materials")).toMatchObject([
      { name: "wet", mode: ["NoLighting"], dynamicColor: -1, diffuse: { red: 0.25, green: 0.5, blue: 0.75, alpha: 1 } },
      { name: "mat", mode: ["NoCulling"], dynamicColor: 0, textures: [{ name: "boxwall", matrix: 0 }, { matrix: -1 }] },
      ...new Array<object>(5).fill({ shaderCount: 0 }),
    ]);
  });

  // Servers compare numbers: -0 is not below 0.
  it.each([
    ["0", u32(0), "waterMaterial"],
    ["-0", u32(0x8000_0000), "waterMaterialAtMinusZero"],
  ])("has a material for water at %s", (_, level, name) => {
    const counts = new Uint8Array(19 * 4);
    const inflated = concat(counts, level, u32(5, 0, 0));
    const deflated = deflateSync(inflated);
    const head = concat(u16(10), ascii("he"), u16(1), u32(inflated.length, deflated.length));
    const found = downloadModern(concat(head, deflated, u16(0), ascii("ed")));
    expect(found).toMatchObject({ status: "ok", notes: [] });
    const database = at(fieldsOf(found), "database");
    expect(database).toMatchObject({ [name]: 5, weaponCount: 0, zoneCount: 0 });
  });

  it("shows the obstacles of a modern world", () => {
    const database = at(fieldsOf(downloadModern(MODERN_WORLD)), "database");
    const size = { x: 5, y: 6, z: 7 };
    expect(at(database, "world")).toMatchObject({
      wallCount: 4,
      walls: [{ breadth: 200 }, { breadth: 200 }, { breadth: 200 }, { breadth: 200 }],
      boxes: [{ position: { x: 10, y: 20, z: 0 }, size, state: ["DriveThrough"] }],
      pyramids: [{ size, state: ["FlipZ"] }],
      bases: [{ team: "RedTeam" }, { team: "GreenTeam" }],
      teleporters: [{ name: "north", border: 1, horizontal: false }, { name: "south" }],
      meshes: [
        {
          checks: [{ type: "CheckInside", point: { x: 0, y: 0, z: 1 } }],
          vertexCount: 9,
          texcoordCount: 23,
          faces: [
            { state: [], vertices: [4, 5, 6, 7], material: 1, physicsDriver: 0 },
            { state: ["UseNormals"], vertices: [0, 4, 7, 3], normals: [0, 0, 0, 0], physicsDriver: -1 },
          ],
          state: ["DrawInfo"],
        },
      ],
      arcs: [
        { size, sweepAngle: 90, ratio: 0.5, divisions: 8, materials: new Array(6).fill(1), state: ["UseNormals"] },
      ],
      cones: [{ size, sweepAngle: 360, materials: [3, 4, 5, 5] }],
      spheres: [{ size, divisions: 4, state: ["UseNormals", "Hemisphere"] }],
      tetras: [{ useNormals: ["Fourth"], normals4: new Array(3).fill({ x: 0, y: 0, z: 1 }), useTexcoords: [] }],
      instances: [
        {
          group: "grp",
          nameAndSwaps: { name: "inst", swaps: [] },
          team: "BlueTeam",
          tint: [1, 0.5, 0.25, 1],
          physicsDriver: 0,
        },
        { group: "grp", nameAndSwaps: { name: "", swaps: [1, 1, 0] }, bits: [] },
      ],
    });
    expect(at(database, "groups")).toMatchObject([{ name: "grp", boxCount: 1, arcCount: 1, instanceCount: 0 }]);
  });

  it.each([
    ["of an unknown version", 5, 2],
    ["of 2 MiB or more", 7, 0x20],
  ])("%s stays compressed", (_name, offset, value) => {
    const other = Uint8Array.from(MODERN_WORLD);
    other[offset] = value;
    const found = downloadModern(other);
    expect(found?.status).toBe("ok");
    expect(at(fieldsOf(found), "database")).toMatch(/^78da[0-9a-f]+$/);
  });

  it("that cannot be inflated is malformed", () => {
    const body = u8(0x78, 0xda, 1, 2, 3);
    const found = downloadModern(concat(u16(10), ascii("he"), u16(1), u32(99, body.length), body, u16(0), ascii("ed")));
    expect(found?.status).toBe("malformed");
    expect(fieldsOf(found)).toMatchObject({ inflatedSize: 99, compressedSize: 5, endLength: 0, endCode: "ed" });
  });

  it("that ends where a capture begins does not make the server look like a client", () => {
    const move = msg("pu", pid([192, 0, 2, 2], 6000), u16(1), f32(0, 0, 0, 0, 0, 0, 0, 0));
    const said: Said[] = [["s", msg("gw", u16(0))], ...new Array<Said>(4).fill(["c", move])];
    const messages = new Talks([bzflag]).tcp([SERVER, 5156], said, { handshake: false }).end();
    expect(messages.map(({ direction, name }) => `${direction} ${name}`)).toEqual([
      "s2c MsgGetWorld",
      ...new Array<string>(4).fill("c2s MsgPlayerUpdate"),
    ]);
  });
});
