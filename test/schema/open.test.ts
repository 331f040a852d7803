import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import {
  array,
  bytes,
  choice,
  derive,
  equals,
  flag,
  group,
  polymorphic,
  rest,
  struct,
  type Type,
  text,
  tuple,
  u8,
  undeclared,
  usually,
  uuid,
  within,
} from "../../src/schema/index.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16, u32, u64 } from "../../src/schema/words/little-endian.js";
import { pascalText } from "./support/codecs.js";
import { windowOn, wire } from "./support/decoding.js";
import { animals } from "./support/families.js";

const packed = deflateSync(wire("0100 0200"));

const types: readonly [string, Type<unknown>, string][] = [
  ["a struct", struct("S", { a: u8, b: u16, c: u64, d: uuid, e: bytes(3) }), "01".repeat(30)],
  ["a derived class", derive("D", struct("B", { a: u16 }), { b: u32 }), "010002000000"],
  ["optional fields", struct("S", { f: u8, a: u16.when(flag("f", 1)), b: u32.when(flag("f", 2)) }), "02 01000000"],
  ["counted bytes", struct("S", { n: u16, data: bytes("n"), behind: u8 }), "0300 aabbcc 09"],
  ["counted text", struct("S", { n: u8, data: text({ field: "n", times: 2, plus: -2 }) }), "03 61626364"],
  ["a text with its own count", struct("S", { one: pascalText, two: pascalText }), "0141 024243"],
  ["an array of numbers", struct("S", { n: u8, list: array(u16, "n"), behind: u8 }), "02 01000200 09"],
  ["an array of texts", struct("S", { n: u8, list: array(pascalText, "n") }), "03 0141 00 024243"],
  [
    "an array of structs",
    struct("S", { n: u8, list: array(group({ m: u8, l: array(u8, "m") }), "n") }),
    "02 00 020102",
  ],
  ["an array of nothing", struct("S", { n: u8, list: array(group({}), "n"), behind: u8 }), "02 09"],
  ["a tuple", tuple([u8, pascalText, u32]), "01 024142 01000000"],
  ["a region", struct("S", { n: u8, data: within("n", array(u16, rest)), behind: u8 }), "04 01000200 09"],
  [
    "a region in a region",
    struct("S", { n: u8, data: within("n", struct("T", { m: u8, d: within("m", text(rest)) })) }),
    "03 02 4142",
  ],
  [
    "undeclared bytes in a region",
    struct("S", { n: u8, data: within("n", undeclared("?")), behind: u8 }),
    "02 aabb 09",
  ],
  ["what is not what it usually is", struct("S", { n: u8, data: usually("n", u32), behind: u8 }), "02 aabb 09"],
  ["a spoiled region", struct("S", { n: u8, data: within("n", u32), behind: u8 }), "02 aabb 09"],
  [
    "a compressed region",
    struct("S", {
      how: u8,
      length: u8,
      n: u8,
      data: within("n", array(u16, rest), { when: equals("how", 1), literal: 0, inflatedLength: "length" }),
      behind: u8,
    }),
    `01 04 ${packed.length.toString(16).padStart(2, "0")} ${hex(packed)} 09`,
  ],
  ["a choice", struct("S", { kind: u8, it: choice("kind", { 1: u32, 2: pascalText }), behind: u8 }), "02 024142 09"],
  ["a class", polymorphic(animals), "02 0500"],
  ["a null", struct("S", { pet: polymorphic(animals), behind: u8 }), "00 09"],
  ["a list of classes", struct("S", { n: u8, pets: array(polymorphic(animals), "n") }), "03 0105 00 020500"],
];

describe("a value that may get more bytes", () => {
  it.each(types)("is awaited, and not accepted before it is complete: %s", (_, type, digits) => {
    const all = wire(digits);
    const decoder = new Decoder();
    decoder.decode(type, windowOn(all), Extent.Exact);
    const notes = [...decoder.nodes.notes];
    const { count } = decoder.nodes;
    for (let length = 0; length < all.length; length++) {
      // The bytes after the window exist as well, but the decoder must not read them yet.
      const window = { bytes: all, view: viewOf(all), start: 0, end: length };
      expect(decoder.decode(type, window, Extent.Open)).toBe(false);
      expect(decoder.needed).toBeGreaterThan(length);
      expect(decoder.needed).toBeLessThanOrEqual(all.length);
    }
    for (const more of [0, 1, 7]) {
      const window = windowOn(Buffer.concat([all, Buffer.alloc(more, 0xff)]));
      expect(decoder.decode(type, window, Extent.Open)).toBe(true);
      expect(decoder.consumed).toBe(all.length);
      expect(decoder.nodes.count).toBe(count);
      expect(decoder.nodes.notes).toEqual(notes);
    }
  });

  it.each(types)("is requested in few steps: %s", (_, type, digits) => {
    const all = wire(digits);
    const decoder = new Decoder();
    let length = 0;
    let steps = 0;
    while (!decoder.decode(type, { bytes: all, view: viewOf(all), start: 0, end: length }, Extent.Open)) {
      length = decoder.needed;
      steps++;
    }
    expect(length).toBe(all.length);
    expect(steps).toBeLessThanOrEqual(Math.min(all.length, 8));
  });

  it("may claim more than can ever arrive", () => {
    const type = struct("S", { n: u32, data: bytes("n") });
    const decoder = new Decoder();
    expect(decoder.decode(type, windowOn(wire("ffffffff")), Extent.Open)).toBe(false);
    expect(decoder.needed).toBe(4 + 0xffffffff);
  });

  it("may violate the format before it ends", () => {
    const type = struct("S", { n: u8, data: bytes({ field: "n", plus: -2 }), behind: u32 });
    const decoder = new Decoder();
    expect(decoder.decode(type, windowOn(wire("01 aa")), Extent.Open)).toBe(true);
    expect(decoder.nodes.outcome).toBe("malformed");
    expect(decoder.consumed).toBe(2);
  });
});
