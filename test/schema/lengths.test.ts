import { describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import {
  array,
  bytes,
  choice,
  derive,
  i8,
  isTrue,
  type Length,
  rest,
  struct,
  text,
  tuple,
  u8,
  within,
} from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { i32, u16 } from "../../src/schema/words/little-endian.js";
import { decode, needed, wholeValue, wire } from "./support/decoding.js";

const sized = (length: Length) => struct("S", { n: i8, data: bytes(length), behind: u8 });

describe("a length", () => {
  it("is what an earlier field says", () => {
    expect(wholeValue(sized("n"), "02 aabb 01")).toEqual({ n: 2, data: "aabb", behind: 1 });
    expect(wholeValue(sized("n"), "00 01")).toEqual({ n: 0, data: "", behind: 1 });
  });

  it("may be multiplied by a factor, with a summand", () => {
    expect(wholeValue(sized({ field: "n", times: 2 }), "01 aabb 01")).toEqual({ n: 1, data: "aabb", behind: 1 });
    expect(wholeValue(sized({ field: "n", plus: -2 }), "03 aa 01")).toEqual({ n: 3, data: "aa", behind: 1 });
    expect(wholeValue(sized({ field: "n", plus: 2 }), "00 aabb 01")).toEqual({ n: 0, data: "aabb", behind: 1 });
    expect(wholeValue(sized({ field: "n", times: 2, plus: -1 }), "02 aabbcc 01")).toMatchObject({ data: "aabbcc" });
  });

  it("may use only some bits of a field", () => {
    expect(wholeValue(sized({ field: "n", mask: 0x0f }), "72 aabb 01")).toEqual({ n: 0x72, data: "aabb", behind: 1 });
    const all = struct("S", { n: i32, data: bytes({ field: "n", mask: 0x0f, times: 2, plus: 1 }) });
    expect(wholeValue(all, "f1ffffff aabbcc")).toEqual({ n: -15, data: "aabbcc" });
  });

  it("may come from a field of a base class or of an earlier struct", () => {
    const base = struct("Base", { n: u8 });
    expect(wholeValue(derive("D", base, { data: bytes("n") }), "01 aa")).toEqual({ n: 1, data: "aa" });
    const nested = struct("S", { head: base, data: bytes({ field: "head.n", times: 2 }) });
    expect(wholeValue(nested, "01 aabb")).toEqual({ head: { n: 1 }, data: "aabb" });
  });

  it("is 0 if the field that gives it is absent", () => {
    const type = struct("S", { has: u8, n: u8.when(isTrue("has")), data: bytes("n"), behind: u8 });
    expect(wholeValue(type, "01 01 aa 02")).toMatchObject({ data: "aa" });
    expect(wholeValue(type, "00 02")).toEqual({ has: 0, data: "", behind: 2 });
  });

  it("may be all remaining bytes", () => {
    expect(wholeValue(struct("S", { n: u8, data: bytes(rest) }), "01 aabb")).toEqual({ n: 1, data: "aabb" });
    expect(wholeValue(struct("S", { n: u8, data: bytes(rest) }), "01")).toEqual({ n: 1 });
  });

  it.each([
    ["bytes", (length: Length) => bytes(length)],
    ["text", (length: Length) => text(length)],
    ["array", (length: Length) => array(u8, length)],
    ["region", (length: Length) => within(length, struct("Inner", { data: bytes(rest) }))],
  ])("below 0 violates the format (%s)", (_, make) => {
    for (const [digits, plus, length] of [
      ["ff", 0, -1],
      ["fe", 0, -2],
      ["80", 0, -128],
      ["00", -2, -2],
      ["01", -3, -2],
    ] as const) {
      const type = struct("S", { n: i8, data: make({ field: "n", plus }), behind: u8 });
      for (const extent of [Extent.Exact, Extent.Cut, Extent.Open]) {
        const { outcome, notes, value } = decode(type, `${digits} aabb`, extent);
        expect(outcome).toBe("malformed");
        expect(notes).toEqual([
          expect.stringMatching(
            new RegExp(`: data would have a length of ${length} \\(n says so\\) at offset 1; 2 are left$`),
          ),
        ]);
        expect(value).not.toHaveProperty("behind");
      }
    }
  });

  it("below 0 affects only its own region", () => {
    const type = struct("S", { size: u8, inner: within("size", sized("n")), behind: u8 });
    expect(decode(type, "03 ffaabb 07")).toMatchObject({
      outcome: "malformed",
      value: { size: 3, inner: { n: -1, undissected: "aabb" }, behind: 7 },
      notes: [
        "inner.undissected: data would have a length of -1 (n says so) at offset 2; 2 are left of the bytes that size gives",
      ],
    });
  });

  it("beyond the end waits for the missing bytes", () => {
    const type = struct("S", { n: u16, data: bytes({ field: "n", times: 3, plus: 1 }) });
    expect(needed(type, "0200")).toBe(9);
    expect(needed(type, "ffff")).toBe(2 + 3 * 0xffff + 1);
    expect(needed(type, "0000 aa")).toBe(0);
  });
});

describe("the encoder", () => {
  it("computes omitted lengths", () => {
    expect(hex(encode<unknown>(sized({ field: "n", times: 2, plus: -2 }), { data: Buffer.alloc(4), behind: 1 }))).toBe(
      "030000000001",
    );
    const type = struct("S", { size: u8, count: u8, list: within("size", struct("L", { l: array(u16, rest) })) });
    expect(hex(encode<unknown>(type, { count: 0, list: { l: [1, 2] } }))).toBe("040001000200");
  });

  it("computes omitted lengths of what is chosen", () => {
    const list = struct("L", { l: array(u16, rest) });
    const type = struct("S", { kind: u8, size: u8, value: choice("kind", { 1: bytes("size") }, within("size", list)) });
    expect(hex(encode<unknown>(type, { kind: 1, value: wire("070707") }))).toBe("0103070707");
    expect(hex(encode<unknown>(type, { kind: 2, value: { l: [1, 2] } }))).toBe("020401000200");
  });

  it("computes omitted counts of what is chosen, also in a region, and by the count itself", () => {
    const counted = choice("kind", { 1: array(u16, "count") }, bytes(rest));
    const inside = struct("S", { kind: u8, count: u8, size: u8, value: within("size", counted) });
    expect(hex(encode<unknown>(inside, { kind: 1, value: [1, 2] }))).toBe("01020401000200");
    expect(() => encode<unknown>(inside, { kind: 2, value: wire("07") })).toThrow("count: is missing");
    const own = struct("S", { count: u8, value: choice("count", { 2: tuple([u8, u16]) }, array(u8, "count")) });
    expect(hex(encode<unknown>(own, { value: [1, 2] }))).toBe("02010200");
    expect(hex(encode<unknown>(own, { value: [1, 2, 3] }))).toBe("03010203");
  });

  it("asks for a length that depends on what is chosen after it", () => {
    const type = struct("S", { size: u8, kind: u8, value: choice("kind", { 1: bytes("size") }) });
    expect(() => encode<unknown>(type, { kind: 1, value: wire("07") })).toThrow("size: is missing");
  });

  it("writes given lengths, right or wrong", () => {
    expect(hex(encode(sized("n"), { n: 5, data: Buffer.alloc(1), behind: 1 }))).toBe("050001");
  });

  it("rejects what no length can express", () => {
    const odd = sized({ field: "n", times: 2 });
    expect(() => encode<unknown>(odd, { data: Buffer.alloc(3), behind: 1 })).toThrow("n: ");
    expect(() => encode<unknown>(sized("n"), { data: Buffer.alloc(200), behind: 1 })).toThrow("n: ");
    const bits = sized({ field: "n", mask: 0x0f });
    expect(hex(encode<unknown>(bits, { data: Buffer.alloc(2), behind: 1 }))).toBe("02000001");
    expect(() => encode<unknown>(bits, { data: Buffer.alloc(16), behind: 1 })).toThrow(
      "n: 16 does not fit into its bits",
    );
    expect(() => encode<unknown>(sized("n"), { behind: 1 })).toThrow("n: is missing");
  });
});
