import { describe, expect, it } from "vitest";
import { bzflag } from "../../../dissectors/bzflag/index.js";
import { expectTiling } from "../../support/check.js";
import { fieldsOf, linesOf, type Said, Talks } from "../../support/talk.js";
import { ascii, concat, f32, hello, msg, pid, SERVER, u8, u16, u32 } from "./bytes.js";

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

describe("the world download", () => {
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

  it("keeps a modern world compressed", () => {
    const body = u8(0x78, 0xda, 1, 2, 3);
    const modern = concat(u16(10), ascii("he"), u16(1), u32(99, body.length), body, u16(0), ascii("ed"));
    const messages = new Talks([bzflag])
      .tcp(
        [SERVER, 5154],
        [
          ["c", ascii("BZFLAG\r\n\r\n")],
          ["s", msg("gw", u32(modern.length), modern.subarray(0, 12))],
          ["s", msg("gw", u32(0), modern.subarray(12))],
        ],
      )
      .end();
    expect(fieldsOf(messages.at(-1))).toEqual({
      headerLength: 10,
      headerCode: "he",
      mapVersion: 1,
      inflatedSize: 99,
      compressedSize: 5,
      compressed: "78da010203",
      endLength: 0,
      endCode: "ed",
    });
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
