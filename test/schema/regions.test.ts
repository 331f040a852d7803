import { describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { array, bytes, choice, group, polymorphic, rest, struct, text, u8, within } from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16, u32 } from "../../src/schema/words/little-endian.js";
import { decode, needed, wholeValue, wire } from "./support/decoding.js";
import { animals, stones } from "./support/families.js";

const inner = group({ a: u8, b: u16 });
const type = struct("S", { size: u8, data: within("size", inner), behind: u8 });

describe("a region", () => {
  it("has the bytes that an earlier field gives it", () => {
    const { nodes } = decode(type, "03 01 0200 09");
    expect(wholeValue(type, "03 01 0200 09")).toEqual({ size: 3, data: { a: 1, b: 2 }, behind: 9 });
    expect(nodes.bytes(nodes.child(0, "data"))).toEqual(wire("010200"));
  });

  it("of no bytes is absent", () => {
    expect(wholeValue(type, "00 09")).toEqual({ size: 0, behind: 9 });
  });

  it("confines leftover bytes to itself", () => {
    expect(decode(type, "05 01 0200 aabb 09")).toMatchObject({
      outcome: "malformed",
      value: { size: 5, data: { a: 1, b: 2, undissected: "aabb" }, behind: 9 },
      notes: ["data.undissected: 2 bytes left over after the last field"],
    });
  });

  it("confines errors to itself", () => {
    expect(decode(type, "02 01 02 09")).toMatchObject({
      outcome: "malformed",
      value: { size: 2, data: { a: 1, undissected: "02" }, behind: 9 },
      notes: ["data.undissected: b needs 2 bytes at offset 2; 1 is left of the bytes that size gives"],
    });
    expect(decode(type, "01 01 09")).toMatchObject({
      outcome: "malformed",
      value: { size: 1, data: { a: 1 }, behind: 9 },
      notes: ["data: b needs 2 bytes at offset 2; 0 are left of the bytes that size gives"],
    });
  });

  it("longer than the available bytes is not entered", () => {
    expect(decode(type, "05 010203")).toMatchObject({
      outcome: "malformed",
      value: { size: 5, undissected: "010203" },
      notes: ["undissected: data needs 5 bytes (size says so) at offset 1; 3 are left"],
    });
    expect(needed(type, "05 010203")).toBe(6);
  });

  it("within a region may not be longer than the outer one", () => {
    const outer = struct("O", { size: u8, data: within("size", type), behind: u8 });
    expect(decode(outer, "04 03 010203 07")).toMatchObject({ value: { data: { data: { a: 1 } }, behind: 7 } });
    expect(decode(outer, "04 04 010200 07")).toMatchObject({
      outcome: "malformed",
      value: { size: 4, data: { size: 4, undissected: "010200" }, behind: 7 },
      notes: [
        "data.undissected: data needs 4 bytes (size says so) at offset 2; 3 are left of the bytes that size gives",
      ],
    });
  });

  it("is no longer mentioned after its end", () => {
    const outer = struct("O", {
      size: u8,
      data: within("size", struct("T", { n: u8, r: within("n", inner), z: u16 })),
    });
    expect(decode(outer, "05 03 010200 aa").notes).toEqual([
      "data.undissected: z needs 2 bytes at offset 5; 1 is left of the bytes that size gives",
    ]);
    const behind = struct("S", { size: u8, data: within("size", inner), z: u16 });
    expect(decode(behind, "03 010200 aa").notes).toEqual(["undissected: z needs 2 bytes at offset 4; 1 is left"]);
  });

  it("may have a fixed length", () => {
    const fixed = struct("S", { data: within(4, inner), behind: u8 });
    expect(decode(fixed, "01 0200 aa 09")).toMatchObject({
      value: { data: { a: 1, b: 2, undissected: "aa" }, behind: 9 },
    });
    expect(decode(fixed, "01 02").notes).toEqual(["undissected: data needs 4 bytes at offset 0; 2 are left"]);
  });

  it("may be all remaining bytes", () => {
    const open = struct("S", { a: u8, data: within(rest, inner) });
    expect(wholeValue(open, "07 01 0200")).toEqual({ a: 7, data: { a: 1, b: 2 } });
    expect(wholeValue(open, "07")).toEqual({ a: 7 });
    expect(decode(open, "07 01 0200 aa").notes).toEqual(["data.undissected: 1 byte left over after the last field"]);
    expect(decode(open, "07 01 02", Extent.Cut)).toMatchObject({ outcome: "truncated", value: { data: { a: 1 } } });
    expect(needed(open, "07 01 02")).toBe(4);
    expect(needed(struct("S", { data: within(rest, inner), behind: u16 }), "01 02")).toBe(3);
    const nested = struct("O", { size: u8, open: within("size", open), behind: u8 });
    expect(wholeValue(nested, "04 07 01 0200 09")).toEqual({
      size: 4,
      open: { a: 7, data: { a: 1, b: 2 } },
      behind: 9,
    });
    expect(decode(nested, "03 07 01 02 09", Extent.Cut).outcome).toBe("malformed");
  });
});

describe("a region with any content", () => {
  const region = (content: Parameters<typeof within>[1]) =>
    struct("S", { size: u8, kind: u8, data: within("size", content), behind: u8 });

  it.each([
    ["bytes", bytes(rest), "02 00 aabb", "aabb"],
    ["text", text(rest), "02 00 4869", "Hi"],
    ["a number", u16, "02 00 0201", 0x0102],
    ["an array", array(u16, rest), "04 00 0100 0200", [1, 2]],
    ["a class", polymorphic(animals), "03 00 02 0500", { class: "Cat", kind: 2, lives: 5 }],
    ["a choice", choice("kind", { 1: inner, 2: u16 }), "03 01 01 0200", { a: 1, b: 2 }],
    ["a choice of a number", choice("kind", { 1: inner, 2: u16 }), "02 02 0200", 2],
  ])("may contain %s", (_, content, digits, data) => {
    expect(wholeValue(region(content), `${digits} 09`)).toMatchObject({ data, behind: 9 });
  });

  it.each([
    ["a number", u16, "01 00 aa"],
    ["a class", polymorphic(stones), "01 00 aa"],
    ["a number with something after it", u16, "03 00 aabbcc"],
    ["text of a fixed length", text(4), "02 00 aabb"],
    ["a choice of a number", choice("kind", { 1: u16 }), "03 01 aabbcc"],
    ["an unknown choice", choice("kind", { 1: u16 }), "03 02 aabbcc"],
  ])("is one opaque leaf if it cannot be %s", (_, content, digits) => {
    const [, , ...data] = digits.split(" ");
    const { nodes, value, notes } = decode(region(content), `${digits} 09`);
    expect(value).toMatchObject({ data: data.join(""), behind: 9 });
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^data: /);
    expect(nodes.count).toBe(5);
  });

  it("confines what follows a null to itself", () => {
    const { value, notes } = decode(region(polymorphic(animals)), "03 00 00 aabb 09");
    expect(value).toMatchObject({ data: { undissected: "aabb" }, behind: 9 });
    expect(notes).toEqual(["data.undissected: 2 bytes left over after the last field"]);
  });

  it("is one opaque leaf if its content is empty", () => {
    const empty = struct("S", {
      size: u8,
      kind: u8,
      data: within("size", choice("kind", { 0: within("kind", inner) })),
    });
    expect(decode(empty, "02 00 aabb")).toMatchObject({
      outcome: "malformed",
      value: { size: 2, kind: 0, data: "aabb" },
    });
  });
});

describe("a region that was not captured completely", () => {
  it("is decoded as far as it was captured", () => {
    expect(decode(type, "03 01 02", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { size: 3, data: { a: 1, undissected: "02" } },
      notes: ["data.undissected: b needs 2 bytes at offset 2; the capture holds 1"],
    });
  });

  it("is truncated even if its content seems complete", () => {
    const list = struct("S", { size: u8, data: within("size", array(u16, rest)), behind: u8 });
    expect(decode(list, "06 0100 0200", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { size: 6, data: [1, 2] },
      notes: ["data: data needs 6 bytes (size says so) at offset 1; the capture holds 4"],
    });
    const raw = struct("S", { size: u8, data: within("size", bytes(rest)), behind: u8 });
    expect(decode(raw, "06 aabb", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { size: 6, data: "aabb" },
      notes: ["data: data needs 6 bytes (size says so) at offset 1; the capture holds 2"],
    });
    expect(decode(type, "06 01 0200", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { size: 6, data: { a: 1, b: 2 } },
      notes: ["data: data needs 6 bytes (size says so) at offset 1; the capture holds 3"],
    });
  });

  it("is reported once, by the field that is cut", () => {
    const nested = struct("O", { outer: u8, inner: within("outer", type), behind: u8 });
    expect(decode(nested, "09 05 01 02", Extent.Cut).notes).toEqual([
      "inner.data.undissected: b needs 2 bytes at offset 3; the capture holds 1",
    ]);
    expect(decode(nested, "09 03 01 0200", Extent.Cut).notes).toEqual([
      "inner: behind needs 1 byte at offset 5; the capture holds 0",
    ]);
    expect(decode(nested, "09 05 01 0200", Extent.Cut).notes).toEqual([
      "inner.data: data needs 5 bytes (size says so) at offset 2; the capture holds 3",
    ]);
  });

  it("may also be too long for its content", () => {
    const { outcome, notes } = decode(type, "09 01 0200 aa", Extent.Cut);
    expect(outcome).toBe("malformed");
    expect(notes).toEqual([
      "data.undissected: 1 byte left over after the last field",
      "data: data needs 9 bytes (size says so) at offset 1; the capture holds 4",
    ]);
  });

  it("is no longer open inside a complete region", () => {
    const nested = struct("O", { outer: u8, inner: within("outer", type), behind: u8 });
    expect(decode(nested, "03 05 01 02 07", Extent.Cut)).toMatchObject({
      outcome: "malformed",
      value: { outer: 3, inner: { size: 5, undissected: "0102" }, behind: 7 },
    });
  });
});

describe("the encoder", () => {
  it("computes the length of a region", () => {
    expect(hex(encode<unknown>(type, { data: { a: 1, b: 2 }, behind: 9 }))).toBe("0301020009");
  });

  it("omits a region whose length is 0, and requires it otherwise", () => {
    expect(hex(encode(type, { size: 0, behind: 9 }))).toBe("0009");
    expect(() => encode(type, { size: 3, behind: 9 })).toThrow("data: is missing");
  });

  it("accepts bytes for a region that could not be dissected", () => {
    expect(hex(encode<unknown>(type, { data: Buffer.from("aabb", "hex"), behind: 9 }))).toBe("02aabb09");
    const number = struct("S", { size: u8, data: within("size", u32) });
    expect(hex(encode<unknown>(number, { data: Buffer.from("aabb", "hex") }))).toBe("02aabb");
  });
});
