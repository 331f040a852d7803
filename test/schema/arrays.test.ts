import { describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import { array, bytes, group, rest, struct, u8, within } from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16, u32 } from "../../src/schema/words/little-endian.js";
import { pascalText } from "./support/codecs.js";
import { decode, needed, wholeValue, wire } from "./support/decoding.js";

const counted = struct("S", { count: u32, list: array(u16, "count"), behind: u8 });
const pair = struct("Pair", { a: u8, b: u8 });

describe("an array", () => {
  it("has as many elements as an earlier field says", () => {
    expect(wholeValue(counted, "02000000 0100 0200 03")).toEqual({ count: 2, list: [1, 2], behind: 3 });
    expect(wholeValue(counted, "00000000 03")).toEqual({ count: 0, list: [], behind: 3 });
  });

  it("has as many elements as the declaration says", () => {
    expect(wholeValue(struct("S", { list: array(u16, 2), behind: u8 }), "0100 0200 03")).toEqual({
      list: [1, 2],
      behind: 3,
    });
    expect(wholeValue(struct("S", { list: array(u16, 0), behind: u8 }), "03")).toEqual({ list: [], behind: 3 });
  });

  it("may take all remaining elements", () => {
    const type = struct("S", { first: u8, list: array(u16, rest) });
    expect(wholeValue(type, "01 0200 0300")).toEqual({ first: 1, list: [2, 3] });
    expect(wholeValue(type, "01")).toEqual({ first: 1, list: [] });
  });

  it("has elements of any type", () => {
    const lists = struct("S", { count: u8, lists: array(struct("L", { n: u8, list: array(pair, "n") }), "count") });
    expect(wholeValue(lists, "02 01 0102 02 03040506")).toEqual({
      count: 2,
      lists: [
        { n: 1, list: [{ a: 1, b: 2 }] },
        {
          n: 2,
          list: [
            { a: 3, b: 4 },
            { a: 5, b: 6 },
          ],
        },
      ],
    });
    expect(wholeValue(array(array(u8, 2), 2), "01020304")).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(wholeValue(array(bytes(2), 2), "01020304")).toEqual(["0102", "0304"]);
  });

  it("may have elements of zero width", () => {
    const type = struct("S", { count: u8, list: array(group({}), "count"), behind: u8 });
    expect(wholeValue(type, "03 07")).toEqual({ count: 3, list: [{}, {}, {}], behind: 7 });
    expect(wholeValue(struct("S", { list: array(group({}), rest) }), "")).toEqual({ list: [] });
  });

  it("of all remaining elements of zero width comes to an end", () => {
    expect(decode(struct("S", { list: array(group({}), rest) }), "0102")).toMatchObject({
      outcome: "malformed",
      value: { list: [{}], undissected: "0102" },
    });
  });

  it("names its elements by their index", () => {
    const { nodes } = decode(struct("S", { list: array(pair, 2) }), "01020304");
    expect(nodes.paths([2, 3, 5, 7])).toEqual(["list[0]", "list[0].a", "list[1]", "list[1].b"]);
  });
});

describe("an array that claims more elements than there are", () => {
  it("fails before its first element", () => {
    expect(decode(counted, "03000000 0100 0200 03")).toMatchObject({
      outcome: "malformed",
      value: { count: 3, list: ["0100020003"] },
      notes: ["list[0]: list needs 6 bytes (count says so) at offset 4; 5 are left"],
    });
  });

  it.each([
    ["numbers", counted],
    ["structs", struct("S", { count: u32, list: array(pair, "count") })],
    ["texts", struct("S", { count: u32, list: array(pascalText, "count") })],
    ["nothing", struct("S", { count: u32, list: array(group({}), "count") })],
    ["arrays", struct("S", { count: u32, list: array(array(u8, rest), "count") })],
  ])("fails at once: four billion %s", (_, type) => {
    for (const extent of [Extent.Exact, Extent.Cut]) {
      const { outcome, nodes } = decode(type, `ffffffff ${"00".repeat(1000)}`, extent);
      expect(outcome).not.toBe("ok");
      expect(nodes.count).toBeLessThan(2100);
    }
  });

  it("waits for the missing bytes", () => {
    expect(needed(counted, "03000000 0100")).toBe(10);
    expect(needed(counted, "ffffffff")).toBe(4 + 2 * 0xffffffff);
    expect(needed(struct("S", { count: u8, list: array(pascalText, "count") }), "03 0141")).toBe(4);
  });

  it("that fails in an element keeps the elements before it", () => {
    const type = struct("S", { count: u8, list: array(struct("T", { text: pascalText }), "count"), behind: u8 });
    expect(decode(type, "02 0141 0542 43")).toMatchObject({
      outcome: "malformed",
      value: { count: 2, list: [{ text: "A" }, { undissected: "054243" }] },
      notes: ["list[1].undissected: text needs 6 bytes at offset 3; 3 are left"],
    });
  });

  it("of which only some elements were captured shows those", () => {
    expect(decode(counted, "03000000 0100 0200 03", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { count: 3, list: [1, 2, "03"] },
      notes: ["list[2]: an element needs 2 bytes at offset 8; the capture holds 1"],
    });
  });

  it("of all remaining elements may end in the middle of one", () => {
    expect(decode(struct("S", { list: array(u16, rest) }), "0100 02")).toMatchObject({
      outcome: "malformed",
      value: { list: [1, "02"] },
      notes: ["list[1]: an element needs 2 bytes at offset 2; 1 is left"],
    });
  });

  it("affects only its own region", () => {
    const type = struct("S", {
      size: u8,
      list: within("size", struct("L", { n: u8, list: array(u16, "n") })),
      behind: u8,
    });
    expect(decode(type, "04 02 010002 07")).toMatchObject({
      outcome: "malformed",
      value: { size: 4, list: { n: 2, list: ["010002"] }, behind: 7 },
      notes: ["list.list[0]: list needs 4 bytes (n says so) at offset 2; 3 are left of the bytes that size gives"],
    });
  });
});

describe("an array as the content of a region", () => {
  const type = struct("S", { size: u8, count: u8, list: within("size", array(u16, "count")), behind: u8 });

  it("has the region's bytes", () => {
    expect(wholeValue(type, "04 02 0100 0200 07")).toEqual({ size: 4, count: 2, list: [1, 2], behind: 7 });
    expect(wholeValue(type, "00 02 07")).toEqual({ size: 0, count: 2, behind: 7 });
  });

  it("may leave bytes over", () => {
    const { nodes, ...decoded } = decode(type, "05 02 0100 0200 aa 07");
    expect(decoded).toMatchObject({
      outcome: "malformed",
      value: { list: [1, 2, "aa"], behind: 7 },
      notes: ["list[2]: 1 byte left over after the last field"],
    });
    expect(plainValue(nodes, nodes.child(0, "list"))).toEqual([1, 2, new Exact(undefined, wire("aa"))]);
  });

  it("may be too short", () => {
    expect(decode(type, "03 02 0100 02 07")).toMatchObject({
      outcome: "malformed",
      value: { list: ["010002"], behind: 7 },
      notes: ["list[0]: list needs 4 bytes (count says so) at offset 2; 3 are left of the bytes that size gives"],
    });
  });
});

describe("the encoder", () => {
  it("computes omitted counts", () => {
    expect(hex(encode<unknown>(counted, { list: [1, 2], behind: 3 }))).toBe("020000000100020003");
  });

  it("rejects what is not an array, or has elements that do not fit", () => {
    expect(() => encode<unknown>(counted, { count: 1, list: 5, behind: 3 })).toThrow("list: needs an array");
    expect(() => encode<unknown>(counted, { count: 1, list: ["1"], behind: 3 })).toThrow("list: needs a number");
    expect(() => encode<unknown>(counted, { count: 1, behind: 3 })).toThrow("list: is missing");
    expect(() => encode(struct("S", { list: array(u8, 2) }), { list: [1] })).toThrow("list: needs 2 elements, has 1");
  });
});
