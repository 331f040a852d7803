import { describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { EncodeError } from "../../src/schema/encode/output.js";
import { plainValue } from "../../src/schema/encode/value.js";
import { array, bool, bytes, i8, struct, type Type, u8, uuid } from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import * as be from "../../src/schema/words/big-endian.js";
import * as le from "../../src/schema/words/little-endian.js";
import { decode, jsonOf, needed, wholeValue, wire } from "./support/decoding.js";

/** Wire types in both orders with some of their values, as big-endian bytes. */
const numbers: readonly {
  kind: string;
  little: Type<number | bigint>;
  big: Type<number | bigint>;
  values: readonly (readonly [string, number | bigint])[];
}[] = [
  {
    kind: "u16",
    little: le.u16,
    big: be.u16,
    values: [
      ["0000", 0],
      ["0102", 0x0102],
      ["8000", 0x8000],
      ["ffff", 0xffff],
    ],
  },
  {
    kind: "i16",
    little: le.i16,
    big: be.i16,
    values: [
      ["0102", 0x0102],
      ["7fff", 0x7fff],
      ["8000", -0x8000],
      ["ffff", -1],
    ],
  },
  {
    kind: "u32",
    little: le.u32,
    big: be.u32,
    values: [
      ["00000000", 0],
      ["01020304", 0x01020304],
      ["80000000", 0x80000000],
      ["ffffffff", 0xffffffff],
    ],
  },
  {
    kind: "i32",
    little: le.i32,
    big: be.i32,
    values: [
      ["01020304", 0x01020304],
      ["7fffffff", 0x7fffffff],
      ["80000000", -0x80000000],
      ["ffffffff", -1],
    ],
  },
  {
    kind: "u64",
    little: le.u64,
    big: be.u64,
    values: [
      ["0000000000000000", 0n],
      ["0102030405060708", 0x0102030405060708n],
      ["0020000000000001", 2n ** 53n + 1n],
      ["8000000000000000", 2n ** 63n],
      ["ffffffffffffffff", 2n ** 64n - 1n],
    ],
  },
  {
    kind: "i64",
    little: le.i64,
    big: be.i64,
    values: [
      ["0102030405060708", 0x0102030405060708n],
      ["7fffffffffffffff", 2n ** 63n - 1n],
      ["8000000000000000", -(2n ** 63n)],
      ["ffffffffffffffff", -1n],
    ],
  },
  {
    kind: "f32",
    little: le.f32,
    big: be.f32,
    values: [
      ["3fc00000", 1.5],
      ["00000001", 2 ** -149],
      ["7f7fffff", (2 - 2 ** -23) * 2 ** 127],
      ["7f800000", Number.POSITIVE_INFINITY],
      ["ff800000", Number.NEGATIVE_INFINITY],
      ["80000000", -0],
      ["7fc00000", Number.NaN],
    ],
  },
  {
    kind: "f64",
    little: le.f64,
    big: be.f64,
    values: [
      ["3ff8000000000000", 1.5],
      ["0000000000000001", 5e-324],
      ["7fefffffffffffff", Number.MAX_VALUE],
      ["7ff0000000000000", Number.POSITIVE_INFINITY],
      ["fff0000000000000", Number.NEGATIVE_INFINITY],
      ["8000000000000000", -0],
      ["7ff8000000000000", Number.NaN],
    ],
  },
];

const reversed = (digits: string): string => Buffer.from(digits, "hex").reverse().toString("hex");

const single: readonly [string, Type<unknown>, string, unknown][] = [
  ["u8", u8, "00", 0],
  ["u8", u8, "ff", 255],
  ["i8", i8, "7f", 127],
  ["i8", i8, "80", -128],
  ["i8", i8, "ff", -1],
  ["bool", bool, "00", false],
  ["bool", bool, "01", true],
  ["bool", bool, "02", 2],
  ["bool", bool, "ff", 255],
  ["bool32", le.bool32, "00000000", false],
  ["bool32", le.bool32, "01000000", true],
  ["bool32", le.bool32, "00000001", 0x01000000],
  ["bool32", le.bool32, "ffffffff", 0xffffffff],
  ["uuid", uuid, "33221100554477668899aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff"],
  ["uuid", uuid, "00".repeat(16), "00000000-0000-0000-0000-000000000000"],
  ["bytes", bytes(3), "00ff80", "00ff80"],
];

const cases: readonly [string, Type<unknown>, string, unknown][] = [
  ...single,
  ...numbers.flatMap(({ kind, little, big, values }) =>
    values.flatMap(([digits, value]): [string, Type<unknown>, string, unknown][] => [
      [`${kind} (little-endian)`, little, reversed(digits), value],
      [`${kind} (big-endian)`, big, digits, value],
    ]),
  ),
];

describe("a leaf", () => {
  it.each(cases)("of kind %s", (_, type, digits, value) => {
    expect(wholeValue(struct("S", { before: u8, leaf: type, behind: u8 }), `01 ${digits} 02`)).toEqual({
      before: 1,
      leaf: value,
      behind: 2,
    });
  });

  it.each(cases.filter(([, , , value]) => typeof value === "number" || typeof value === "bigint"))(
    "of kind %s is a number, if only an approximate one",
    (_, type, digits, value) => {
      const { nodes } = decode(struct("S", { before: u8, leaf: type }), `01 ${digits}`);
      expect(nodes.numberIn(0, "leaf")).toBe(Number(value));
    },
  );

  it.each(cases)("of kind %s in an array", (_, type, digits, value) => {
    expect(wholeValue(array(type, 2), digits + digits)).toEqual([value, value]);
  });

  it.each(cases)("of kind %s alone", (_, type, digits, value) => {
    expect(wholeValue(type, digits)).toEqual(value);
  });

  it.each(cases)("of kind %s without enough bytes", (_, type, digits) => {
    const all = wire(digits);
    for (let length = 0; length < all.length; length++) {
      const short = all.subarray(0, length);
      for (const container of [type, struct("S", { leaf: type }), array(type, 1)]) {
        expect(decode(container, short).outcome).toBe("malformed");
        expect(decode(container, short, Extent.Cut).outcome).toBe("truncated");
        expect(needed(container, short)).toBe(all.length);
      }
    }
  });

  it("alone in too many bytes is one opaque leaf", () => {
    expect(decode(le.u32, "010000000203")).toMatchObject({
      outcome: "malformed",
      value: "010000000203",
      notes: [": 2 bytes left over after the last field"],
    });
  });
});

describe("a number with more information than its value", () => {
  it.each([
    ["f32", le.f32, "0100c07f"],
    ["f32, signalling", le.f32, "0100807f"],
    ["f32, negative", le.f32, "0000c0ff"],
    ["f32, big-endian", be.f32, "7fc00001"],
    ["f64", le.f64, "010000000000f87f"],
    ["f64, big-endian", be.f64, "7ff8000000000001"],
  ] as const)("is kept: a NaN with a payload (%s)", (_, type, digits) => {
    const { nodes, value } = decode(struct("S", { f: type }), digits);
    expect(value).toEqual({ f: Number.NaN });
    expect(plainValue(nodes, 0)).toEqual({ f: new Exact(Number.NaN, wire(digits)) });
  });

  it("is not stored for an ordinary NaN or for -0", () => {
    const { nodes } = decode(struct("S", { nan: le.f32, zero: le.f32 }), "0000c07f 00000080");
    expect(plainValue(nodes, 0)).toEqual({ nan: Number.NaN, zero: -0 });
  });
});

describe("JSON of a leaf", () => {
  it("has numbers if they fit, and strings if they do not", () => {
    const type = struct("S", { u64: le.u64, inf: le.f32, nan: le.f32, zero: le.f64, true: bool, also: le.bool32 });
    expect(jsonOf(type, "ffffffffffffffff 000080ff 0100c07f 0000000000000080 02 00000001")).toEqual({
      u64: "18446744073709551615",
      inf: "-Infinity",
      nan: "NaN",
      zero: -0,
      true: true,
      also: true,
    });
  });
});

describe("the encoder", () => {
  it.each(cases)("writes a leaf of kind %s", (_, type, digits) => {
    const { nodes } = decode(type, digits);
    expect(hex(encode(type, plainValue(nodes, 0)))).toBe(digits);
  });

  it.each([
    ["u8", u8, [-1, 256, 0.5, Number.NaN, "1", 1n, undefined, null]],
    ["i8", i8, [-129, 128]],
    ["u16", le.u16, [-1, 0x10000]],
    ["i16", be.i16, [-0x8001, 0x8000]],
    ["u32", be.u32, [-1, 2 ** 32, 1.5]],
    ["i32", le.i32, [-(2 ** 31) - 1, 2 ** 31, Number.POSITIVE_INFINITY]],
    ["u64", le.u64, [-1n, 2n ** 64n, "1", 0.5, undefined]],
    ["i64", be.i64, [-(2n ** 63n) - 1n, 2n ** 63n]],
    ["f32", le.f32, ["1", undefined, 1n]],
    ["bool", bool, [undefined, "true", 256, -1, 0.5, null]],
    ["bool32", le.bool32, [undefined, 2 ** 32, {}]],
    ["uuid", uuid, ["", "00112233-4455-6677-8899-aabbccddee", 5, undefined]],
    ["bytes", bytes(2), [wire("00"), wire("000000"), "0000", undefined]],
  ] as const)("rejects what %s cannot hold", (_, type, values) => {
    const untyped: Type<unknown> = type;
    for (const value of values) {
      expect(() => encode(untyped, value), String(value)).toThrow(EncodeError);
      expect(() => encode(struct("S", { leaf: untyped }), { leaf: value }), String(value)).toThrow(/^leaf: /);
    }
  });
});
