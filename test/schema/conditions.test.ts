import { describe, expect, it } from "vitest";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import {
  array,
  atLeast,
  below,
  bool,
  type Condition,
  choice,
  coded,
  derive,
  equals,
  flag,
  group,
  i8,
  isFalse,
  isTrue,
  masked,
  notEquals,
  rest,
  struct,
  type Type,
  tuple,
  u8,
  within,
} from "../../src/schema/index.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import { hex } from "../../src/schema/tree/leaf.js";
import * as be from "../../src/schema/words/big-endian.js";
import * as le from "../../src/schema/words/little-endian.js";
import { u64Codec, varint } from "./support/codecs.js";
import { decode, wholeValue, wire } from "./support/decoding.js";

const wide = coded("wide", u64Codec);

/** True if a field is present after a number with these bytes. */
function present(control: Type<unknown>, digits: string, ...conditions: readonly Condition[]): boolean {
  const type = struct("S", { control, field: u8.when(...conditions), behind: u8 });
  const width = wire(digits).length;
  const { nodes, outcome } = decode(type, `${digits} 01 02`);
  // An absent field leaves one byte over, which the one after it must not take.
  const there = nodes.child(0, "field") >= 0;
  expect(outcome).toBe(there ? "ok" : "malformed");
  expect(nodes.startOf(nodes.child(0, "behind"))).toBe(width + (there ? 1 : 0));
  return there;
}

describe("a condition", () => {
  it.each([
    ["00", false],
    ["01", false],
    ["04", true],
    ["06", true],
    ["0f", true],
  ])("on any bit of a mask (%s)", (digits, expected) => {
    expect(present(u8, digits, flag("control", 0x06))).toBe(expected);
  });

  it.each([
    ["02", false],
    ["04", true],
    ["0c", true],
    ["06", false],
  ])("on the bits under a mask (%s)", (digits, expected) => {
    expect(present(u8, digits, masked("control", 0x06, 0x04))).toBe(expected);
  });

  it("on a number", () => {
    expect(present(u8, "05", equals("control", 5))).toBe(true);
    expect(present(u8, "04", equals("control", 5))).toBe(false);
    expect(present(u8, "04", notEquals("control", 5))).toBe(true);
    expect(present(u8, "05", notEquals("control", 5))).toBe(false);
    expect(present(i8, "ff", equals("control", -1))).toBe(true);
  });

  it.each([
    ["u8", u8, 3, ["00", "01", "02"], ["03", "04", "7f", "80", "ff"]],
    ["u8 with the highest bit", u8, 0x80, ["00", "7f"], ["80", "ff"]],
    ["i8", i8, -1, ["80", "fe"], ["ff", "00", "7f"]],
    ["u16 (little-endian)", le.u16, 0x0100, ["0000", "ff00"], ["0001", "ffff"]],
    ["i16 (big-endian)", be.i16, 2, ["8000", "ffff", "0001"], ["0002", "0100"]],
    ["u32 (little-endian)", le.u32, 2 ** 31, ["00000000", "ffffff7f"], ["00000080", "ffffffff"]],
    ["u32 (big-endian)", be.u32, 2 ** 32 - 1, ["fffffffe"], ["ffffffff"]],
    ["i32 (little-endian)", le.i32, -(2 ** 31) + 1, ["00000080"], ["01000080", "ffffffff", "ffffff7f"]],
    ["i32 (big-endian)", be.i32, 2 ** 31 - 1, ["80000000", "ffffffff", "7ffffffe"], ["7fffffff"]],
    ["the first of an array", array(be.u16, 2), 3, ["0002 ffff"], ["0003 0000"]],
    ["a number with a codec", varint, 300, ["05", "ab02"], ["ac02", "ad02"]],
    ["a bigint with a codec", wide, 2 ** 53 - 1, ["001ffffffffffffe"], ["001fffffffffffff", "ffffffffffffffff"]],
  ] as const)("on the order of numbers (%s)", (_, type, operand, lower, higher) => {
    for (const digits of lower) {
      expect(present(type, digits, atLeast("control", operand)), digits).toBe(false);
      expect(present(type, digits, below("control", operand)), digits).toBe(true);
    }
    for (const digits of higher) {
      expect(present(type, digits, atLeast("control", operand)), digits).toBe(true);
      expect(present(type, digits, below("control", operand)), digits).toBe(false);
    }
  });

  it.each([
    ["00", false],
    ["01", true],
    ["02", true],
    ["ff", true],
  ])("on a boolean (%s)", (digits, expected) => {
    expect(present(bool, digits, isTrue("control"))).toBe(expected);
    expect(present(bool, digits, isFalse("control"))).toBe(!expected);
    expect(present(le.bool32, `0000${digits}00`, isTrue("control"))).toBe(expected);
  });

  it.each([
    ["u16 (little-endian)", le.u16, "0102", 0x0201],
    ["u16 (big-endian)", be.u16, "0102", 0x0102],
    ["i16 (little-endian)", le.i16, "feff", -2],
    ["i16 (big-endian)", be.i16, "fffe", -2],
    ["u32 (little-endian)", le.u32, "01020380", 0x80030201],
    ["u32 (big-endian)", be.u32, "80020301", 0x80020301],
    ["i32 (little-endian)", le.i32, "feffffff", -2],
    ["i32 (big-endian)", be.i32, "fffffffe", -2],
  ] as const)("looks at all bytes of a number (%s)", (_, type, digits, value) => {
    expect(present(type, digits, equals("control", value))).toBe(true);
    expect(present(type, digits, notEquals("control", value))).toBe(false);
    expect(present(type, "00".repeat(type.descriptor.width), equals("control", value))).toBe(false);
  });

  it.each([
    ["u32 (little-endian)", le.u32, "00000080", "00000040"],
    ["i32 (big-endian)", be.i32, "80000000", "40000000"],
    ["u64 (little-endian)", le.u64, "0000008001000000", "00000000ffffffff"],
    ["u64 (big-endian)", be.u64, "0000000180000000", "ffffffff00000000"],
    ["i64 (little-endian)", le.i64, "00000080ffffffff", "00000040ffffffff"],
    ["f32 (little-endian)", le.f32, "000080bf", "0000803f"],
    ["f32 (big-endian)", be.f32, "bf800000", "3f800000"],
  ] as const)("looks at bit 31 (%s)", (_, type, on, off) => {
    for (const mask of [1 << 31, 0x80000000]) {
      expect(present(type, on, flag("control", mask))).toBe(true);
      expect(present(type, off, flag("control", mask))).toBe(false);
      for (const operand of [1 << 31, 0x80000000]) {
        expect(present(type, on, masked("control", mask, operand))).toBe(true);
        expect(present(type, off, masked("control", mask, operand))).toBe(false);
      }
    }
  });

  it("has to hold together with all others", () => {
    const both = [flag("control", 1), flag("control", 2)];
    expect(present(u8, "03", ...both)).toBe(true);
    expect(present(u8, "01", ...both)).toBe(false);
    expect(present(u8, "02", ...both)).toBe(false);
  });

  it("is added to those that a type already has", () => {
    const type = struct("S", { control: u8, field: u8.when(flag("control", 1)).when(flag("control", 2)), behind: u8 });
    expect(wholeValue(type, "03 01 02")).toEqual({ control: 3, field: 1, behind: 2 });
    expect(wholeValue(type, "01 02")).toEqual({ control: 1, behind: 2 });
    expect(wholeValue(type, "02 02")).toEqual({ control: 2, behind: 2 });
  });
});

describe("what a condition looks at", () => {
  it("may be a field of a base class", () => {
    const base = struct("Base", { flags: u8 });
    const middle = derive("Middle", base, { other: u8 });
    const type = derive("Derived", middle, { field: u8.when(flag("flags", 1)) });
    expect(wholeValue(type, "01 02 03")).toEqual({ flags: 1, other: 2, field: 3 });
    expect(wholeValue(type, "00 02")).toEqual({ flags: 0, other: 2 });
    expect(wholeValue(base, "01")).toEqual({ flags: 1 });
  });

  it("may be in an earlier struct, at any depth", () => {
    const inner = struct("Inner", { skipped: u8, b: u8 });
    const outer = struct("Outer", { x: u8, a: inner });
    const type = struct("S", { head: outer, field: u8.when(equals("head.a.b", 5)), behind: u8 });
    expect(wholeValue(type, "01 02 05 06 07")).toEqual({
      head: { x: 1, a: { skipped: 2, b: 5 } },
      field: 6,
      behind: 7,
    });
    expect(wholeValue(type, "01 05 02 07")).toEqual({ head: { x: 1, a: { skipped: 5, b: 2 } }, behind: 7 });
  });

  it("may be several fields of one earlier struct", () => {
    const head = struct("Head", { a: u8, b: u8, c: u8 });
    const type = struct("S", {
      head,
      one: u8.when(isTrue("head.a")),
      two: u8.when(isTrue("head.c")),
      three: u8.when(isTrue("head.b"), isTrue("head.a")),
    });
    expect(wholeValue(type, "010001 0a0b")).toEqual({ head: { a: 1, b: 0, c: 1 }, one: 10, two: 11 });
    expect(wholeValue(type, "000101 0a")).toEqual({ head: { a: 0, b: 1, c: 1 }, two: 10 });
    expect(wholeValue(type, "010100 0a0b")).toEqual({ head: { a: 1, b: 1, c: 0 }, one: 10, three: 11 });
    expect(hex(encode(type, { head: { a: 1, b: 1, c: 0 }, one: 10, three: 11 }))).toBe("0101000a0b");
    expect(hex(encode(type, { head: { a: 0, b: 1, c: 1 }, two: 10 }))).toBe("0001010a");
  });

  it("may be in two earlier structs of the same type", () => {
    const head = struct("Head", { a: u8, b: u8 });
    const type = struct("S", { left: head, right: head, field: u8.when(isTrue("left.a"), isTrue("right.b")) });
    expect(wholeValue(type, "0100 0001 07")).toMatchObject({ field: 7 });
    expect(wholeValue(type, "0001 0100")).not.toHaveProperty("field");
  });

  it("is the first element of an array", () => {
    const type = struct("S", {
      count: u8,
      words: array(le.u16, "count"),
      field: u8.when(flag("words", 0x100)),
      behind: u8,
    });
    expect(wholeValue(type, "02 0001 0000 0a 0b")).toEqual({ count: 2, words: [0x100, 0], field: 10, behind: 11 });
    expect(wholeValue(type, "02 0000 0001 0b")).toEqual({ count: 2, words: [0, 0x100], behind: 11 });
    expect(wholeValue(type, "00 0b")).toEqual({ count: 0, words: [], behind: 11 });
    expect(hex(encode(type, { count: 1, words: [0x100], field: 10, behind: 11 }))).toBe("0100010a0b");
    expect(hex(encode(type, { count: 0, words: [], behind: 11 }))).toBe("000b");
  });

  it("is the first element of an array of large numbers or booleans", () => {
    const large = struct("S", { words: array(le.u64, 1), field: u8.when(flag("words", 2)) });
    expect(wholeValue(large, "02000000 00000000 07")).toEqual({ words: [2n], field: 7 });
    expect(hex(encode(large, { words: [2n], field: 7 }))).toBe("020000000000000007");
    const booleans = struct("S", { words: array(bool, 1), field: u8.when(isTrue("words")) });
    expect(hex(encode(booleans, { words: [true], field: 7 }))).toBe("0107");
  });

  it("is nothing if the array ends in its first element", () => {
    const type = struct("S", { words: array(le.u32, rest), field: u8.when(isTrue("words")) });
    const bytes = wire("010203");
    const decoder = new Decoder();
    decoder.decode(type, { bytes, view: viewOf(bytes), start: 0, end: bytes.length }, Extent.Exact);
    expect(decoder.nodes.outcome).toBe("malformed");
    expect(decode(type, bytes)).toMatchObject({ outcome: "malformed", value: { words: ["010203"] } });
  });

  it("is 0 if it is itself absent", () => {
    const head = struct("Head", { a: u8 });
    const type = struct("S", {
      flags: u8,
      low: u8.when(flag("flags", 1)),
      head: head.when(flag("flags", 2)),
      words: array(u8, 1).when(flag("flags", 4)),
      one: u8.when(isTrue("low")),
      two: u8.when(isTrue("head.a")),
      three: u8.when(isTrue("words")),
      none: u8.when(isFalse("low"), isFalse("head.a"), below("words", 1)),
    });
    const all = "07 01 02 03 0a 0b 0c";
    expect(wholeValue(type, all)).toMatchObject({ one: 10, two: 11, three: 12 });
    expect(wholeValue(type, "00 0d")).toEqual({ flags: 0, none: 13 });
    // Nor does it keep the value that the previous element had there.
    expect(wholeValue(array(type, 2), `${all} 00 0d`)).toMatchObject([{ low: 1 }, { flags: 0, none: 13 }]);
  });

  it("is the struct's own, not that of a struct inside it", () => {
    const inner = struct("Inner", { flags: u8, field: u8.when(isTrue("flags")) });
    const type = struct("S", { flags: u8, inner, list: array(inner, 2), field: u8.when(isTrue("flags")) });
    expect(wholeValue(type, "01 00 00 01 05 06")).toEqual({
      flags: 1,
      inner: { flags: 0 },
      list: [{ flags: 0 }, { flags: 1, field: 5 }],
      field: 6,
    });
    expect(wholeValue(type, "00 01 05 0106 00")).toEqual({
      flags: 0,
      inner: { flags: 1, field: 5 },
      list: [{ flags: 1, field: 6 }, { flags: 0 }],
    });
  });
});

describe("a condition in a group", () => {
  const optional = group({ a: u8, b: u8.when(isTrue("kind")), c: u8.when(below("kind", 2)) });

  /** The value of bytes, which is also what they are encoded from. */
  function both(type: Type<unknown>, digits: string): unknown {
    const value = wholeValue(type, digits);
    expect(hex(encode(type, value))).toBe(hex(wire(digits)));
    return value;
  }

  it("may look at the struct around it", () => {
    const type = struct("S", { kind: u8, optional, behind: u8 });
    expect(both(type, "01 0a0b0c 0d")).toEqual({ kind: 1, optional: { a: 10, b: 11, c: 12 }, behind: 13 });
    expect(both(type, "00 0a0c 0d")).toEqual({ kind: 0, optional: { a: 10, c: 12 }, behind: 13 });
    expect(both(type, "02 0a0b 0d")).toEqual({ kind: 2, optional: { a: 10, b: 11 }, behind: 13 });
    expect(() => encode(type, { kind: 1, optional: { a: 1, b: 2 }, behind: 3 })).toThrow("optional.c: is missing");
  });

  it("looks at the struct that the group is in, whichever that is", () => {
    const pair = struct("Pair", { x: u8, kind: u8 });
    const inner = struct("Inner", { filler: u8, kind: i8, optional });
    const type = struct("S", { kind: u8, optional, inner, other: optional, pair });
    expect(both(type, "00 0a0c  07 ff 0a0b0c  0a0c  0102")).toEqual({
      kind: 0,
      optional: { a: 10, c: 12 },
      inner: { filler: 7, kind: -1, optional: { a: 10, b: 11, c: 12 } },
      other: { a: 10, c: 12 },
      pair: { x: 1, kind: 2 },
    });
    const base = struct("Base", { kind: u8, optional });
    expect(both(derive("Derived", base, { more: optional }), "00 0a0c 0a0c")).toMatchObject({ more: { a: 10, c: 12 } });
    const head = struct("T", { head: pair, group: group({ b: u8.when(equals("head.kind", 2)) }) });
    expect(both(head, "0102 07")).toEqual({ head: { x: 1, kind: 2 }, group: { b: 7 } });
    expect(both(head, "0203")).toEqual({ head: { x: 2, kind: 3 }, group: {} });
  });

  it("looks further out if the struct around it is a group, too", () => {
    const type = struct("S", { kind: u8, outer: group({ x: u8, middle: group({ optional, y: u8 }) }), behind: u8 });
    const middle = (optional: object) => ({ x: 1, middle: { optional, y: 2 } });
    expect(both(type, "02 01 0a0b 02 09")).toEqual({ kind: 2, outer: middle({ a: 10, b: 11 }), behind: 9 });
    expect(both(type, "00 01 0a0c 02 09")).toEqual({ kind: 0, outer: middle({ a: 10, c: 12 }), behind: 9 });
    const nearer = struct("S", { kind: u8, outer: group({ kind: u8, optional }) });
    expect(both(nearer, "00 02 0a0b")).toEqual({ kind: 0, outer: { kind: 2, optional: { a: 10, b: 11 } } });
  });

  it.each([
    ["an array", array(optional, 2), "0a0b 0a0b", "0a0c 0a0c"],
    ["all the rest", array(optional, rest), "0a0b 0a0b 0a0b", "0a0c"],
    ["a tuple", tuple([u8, optional]), "07 0a0b", "07 0a0c"],
    ["a choice", choice("kind", { 2: optional, 0: optional }), "0a0b", "0a0c"],
    ["a region", within("length", optional), "0a0b", "0a0c"],
  ] as const)("works for a group in %s", (_, content, two, zero) => {
    const type = struct("S", { length: u8, kind: u8, content });
    const present = both(type, `02 02 ${two}`);
    expect(present).toMatchObject({ kind: 2 });
    expect(JSON.stringify(present)).toContain('"b":11');
    expect(JSON.stringify(both(type, `02 00 ${zero}`))).toContain('"c":12');
  });

  it("works in a compressed region", () => {
    const content = within(rest, optional, { when: isTrue("kind"), literal: 0, inflatedLength: "size" });
    const type = struct("S", { kind: u8, size: u8, content });
    const value = { kind: 1, size: 3, content: { a: 10, b: 11, c: 12 } };
    const bytes = encode(type, value);
    expect(bytes.length).toBeGreaterThan(5);
    expect(wholeValue(type, bytes)).toEqual(value);
  });

  it("sees 0 in place of a field that is absent, not an earlier value", () => {
    const element = struct("E", { flags: u8, kind: u8.when(flag("flags", 1)), optional });
    expect(both(array(element, 3), "01 02 0a0b  00 0a0c  01 01 0a0b0c")).toEqual([
      { flags: 1, kind: 2, optional: { a: 10, b: 11 } },
      { flags: 0, optional: { a: 10, c: 12 } },
      { flags: 1, kind: 1, optional: { a: 10, b: 11, c: 12 } },
    ]);
  });

  it("gives its number to what looks into the group", () => {
    const type = struct("S", { kind: u8, optional, behind: u8.when(isTrue("optional.b")) });
    expect(both(type, "02 0a01 09")).toEqual({ kind: 2, optional: { a: 10, b: 1 }, behind: 9 });
    expect(both(type, "02 0a00")).toEqual({ kind: 2, optional: { a: 10, b: 0 } });
  });

  it("may look at very many fields", () => {
    const names = Array.from({ length: 1500 }, (_, n) => `n${n}`);
    const numbers = Object.fromEntries(names.map((name) => [name, u8]));
    const depending = Object.fromEntries(names.map((name) => [`by_${name}`, u8.when(isTrue(name))]));
    const type = struct("S", { ...numbers, group: group(depending) });
    const bytes = Buffer.concat([Buffer.alloc(1499), wire("0107")]);
    expect(wholeValue(type, bytes)).toMatchObject({ n0: 0, n1499: 1, group: { by_n1499: 7 } });
  });
});

describe("very many conditions", () => {
  /** This many flags, each followed by the field that depends on it. */
  const flagged = (count: number): Record<string, Type<unknown, boolean>> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n): [string, Type<unknown, boolean>][] => [
        [`flag${n}`, u8],
        [`field${n}`, u8.when(isTrue(`flag${n}`))],
      ]).flat(),
    );

  it.each([50, 1025, 5000])("are kept apart in one struct (%i)", (count) => {
    const type = struct("S", { ...flagged(count), last: u8.when(isTrue(`flag${count - 1}`)) });
    const bytes = Buffer.concat([Buffer.alloc(count - 1), wire("010203")]);
    expect(decode(type, bytes)).toMatchObject({ outcome: "ok", value: { [`field${count - 1}`]: 2, last: 3 } });
  });

  it("are kept apart in structs in structs", () => {
    let type: Type<unknown> = u8;
    let bytes = wire("07");
    for (let level = 0; level < 40; level++) {
      type = struct("S", { ...flagged(50), inner: type, last: u8.when(isTrue("flag49")) });
      bytes = Buffer.concat([Buffer.alloc(49), wire("0102"), bytes, wire("03")]);
    }
    expect(decode(type, bytes).outcome).toBe("ok");
  });
});

describe("the encoder", () => {
  const type = struct("S", { flags: u8, field: u8.when(flag("flags", 1)), behind: u8 });

  it("compares numbers as the decoder does", () => {
    const versioned = struct("S", {
      version: i8,
      old: u8.when(below("version", 3)),
      new: u8.when(atLeast("version", 3)),
    });
    for (const [version, digits] of [
      [-1, "ff0a"],
      [2, "020a"],
      [3, "030b"],
      [127, "7f0b"],
    ] as const) {
      expect(hex(encode(versioned, { version, old: 10, new: 11 }))).toBe(digits);
    }
    expect(() => encode(versioned, { version: 3, old: 10 })).toThrow("new: is missing");
  });

  it("leaves out what is absent, and needs what is present", () => {
    expect(hex(encode(type, { flags: 1, field: 2, behind: 3 }))).toBe("010203");
    expect(hex(encode(type, { flags: 0, field: 2, behind: 3 }))).toBe("0003");
    expect(() => encode(type, { flags: 1, behind: 3 })).toThrow("field: is missing");
  });
});
