import { describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode/window.js";
import { fieldFacts } from "../../src/schema/describe/field-list.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import {
  array,
  bytes,
  prefixed,
  rest,
  struct,
  type Type,
  terminated,
  text,
  u8,
  utf16,
} from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16 as u16be } from "../../src/schema/words/big-endian.js";
import { i16, u16, u32 } from "../../src/schema/words/little-endian.js";
import { shortVarint, varint } from "./support/codecs.js";
import { decode, jsonOf, needed, wholeValue, wire } from "./support/decoding.js";

/** A struct with one field of a type, and a byte behind it. */
function holding<V>(a: Type<V>) {
  return struct("S", { a, z: u8 });
}

describe("a prefixed text, or bytes", () => {
  it.each([
    ["a text after one byte", prefixed(u8, text), "02 4869", "Hi"],
    ["a text after two bytes", prefixed(u16be, text), "0002 4869", "Hi"],
    ["an empty text", prefixed(u16, text), "0000", ""],
    ["UTF-8", prefixed(u8, text), "02 c3a9", "é"],
    ["zeros in a text", prefixed(u8, text), "03 610000", "a\0\0"],
    ["a count of UTF-16 units", prefixed(u16, utf16, { times: 2 }), "0200 48006900", "Hi"],
    ["zeros in UTF-16", prefixed(u16, utf16, { times: 2 }), "0200 48000000", "H\0"],
    ["a zero that is counted", prefixed(u8, text, { endsWithZero: true }), "03 486900", "Hi"],
    ["a zero that is counted in UTF-16", prefixed(u32, utf16, { endsWithZero: true }), "04000000 48000000", "H"],
    ["a zero behind the count", prefixed(u8, text, { plus: 1, endsWithZero: true }), "02 486900", "Hi"],
    ["a length that includes itself", prefixed(u16be, text, { plus: -2 }), "0004 4869", "Hi"],
    ["some bits of a number", prefixed(u16, text, { mask: 0x0fff }), "0200 4869", "Hi"],
    ["a length of variable length", prefixed(varint, text), `8101 ${"61".repeat(129)}`, "a".repeat(129)],
    ["UTF-16 after such a length", prefixed(varint, utf16, { times: 2 }), "02 48006900", "Hi"],
  ] as const)("is read and written: %s", (_, type, bytes, value) => {
    expect(wholeValue(holding(type), `${bytes} 99`)).toEqual({ a: value, z: 0x99 });
    expect(hex(encode(holding(type), { a: value, z: 0x99 }))).toBe(`${bytes}99`.replaceAll(" ", ""));
    expect(jsonOf(holding(type), `${bytes} 99`)).toEqual({ a: value, z: 0x99 });
  });

  it("may be bytes", () => {
    const type = holding(prefixed(u16, bytes));
    expect(wholeValue(type, "0300 010203 99")).toEqual({ a: "010203", z: 0x99 });
    expect(hex(encode(type, { a: wire("0102"), z: 1 }))).toBe("0200010201");
    expect(() => encode<unknown>(type, { a: "0102", z: 1 })).toThrow("a: needs bytes");
  });

  it("may lack its zero, and keeps its bytes", () => {
    const { nodes } = decode(holding(prefixed(u8, text, { endsWithZero: true })), "02 4869 99");
    expect(plainValue(nodes, 1)).toEqual(new Exact("Hi", wire("024869")));
  });

  it("may have bits that mean something else, which are kept", () => {
    const { nodes } = decode(holding(prefixed(u16, text, { mask: 0x0fff })), "02f0 4869 99");
    expect(plainValue(nodes, 1)).toEqual(new Exact("Hi", wire("02f04869")));
  });

  it("waits for missing bytes, and says how many it needs", () => {
    const type = holding(prefixed(u16, utf16, { times: 2 }));
    expect(needed(type, "")).toBe(2);
    expect(needed(type, "05")).toBe(2);
    expect(needed(type, "0200 4800")).toBe(6);
    expect(needed(type, "0200 48006900")).toBe(7);
    expect(decode(type, "0200 4800").notes).toEqual(["undissected: a needs 6 bytes at offset 0; 4 are left"]);
    expect(decode(type, "0200 4800", Extent.Cut).notes).toEqual([
      "undissected: a needs 6 bytes at offset 0; the capture holds 4",
    ]);
    expect(needed(holding(prefixed(varint, text)), "81")).toBe(2);
  });

  it("says that half a unit is not in the text", () => {
    const notes = ["a: its last byte is half a UTF-16 unit, and is not in the text"];
    expect(decode(holding(prefixed(u8, utf16)), "03 480069 99")).toMatchObject({ value: { a: "H", z: 0x99 }, notes });
    expect(decode(holding(prefixed(varint, utf16)), "03 480069 99")).toMatchObject({ value: { a: "H" }, notes });
    expect(decode(holding(prefixed(varint, utf16)), "02 4800 99").notes).toEqual([]);
  });

  it.each([
    ["a signed length", prefixed(i16, text), "feff 99", "a would have a length of -2"],
    ["a length less than its own", prefixed(u16, text, { plus: -2 }), "0100 99", "a would have a length of -1"],
    ["a part of a byte", prefixed(u8, text, { times: 0.5 }), "03 99", "a would have a length of 1.5"],
    ["a length that breaks its format", prefixed(shortVarint, bytes), "8080808000 99", "is longer than four bytes"],
  ] as const)("has no content if its length makes no sense: %s", (_, type, bytes, note) => {
    const { outcome, notes, nodes } = decode(holding<string | Uint8Array>(type), bytes);
    expect(outcome).toBe("malformed");
    expect(notes).toEqual([expect.stringContaining(note)]);
    expect(nodes.value(nodes.child(0, "z"))).toBe(0x99);
  });

  it("cannot be longer than its length can say", () => {
    const say = (type: Type<string>, a: string) => () => encode(holding(type), { a, z: 1 });
    expect(say(prefixed(u8, text), "a".repeat(255))).not.toThrow();
    expect(say(prefixed(u8, text), "a".repeat(256))).toThrow("a: holds at most 255 bytes");
    expect(say(prefixed(u8, utf16, { times: 4 }), "a")).toThrow("a: takes 2 bytes, which its length cannot say");
    expect(say(prefixed(u16, text, { mask: 0x0f }), "a".repeat(16))).toThrow("a: holds at most 15 bytes");
    expect(say(prefixed(u8, text, { plus: 1 }), "")).toThrow("a: takes 0 bytes, which its length cannot say");
    expect(() => encode<unknown>(holding(prefixed(u8, text)), { a: 5, z: 1 })).toThrow("a: needs a string");
  });

  it("may be in an array", () => {
    const type = struct("S", { count: u8, names: array(prefixed(u8, text), "count") });
    expect(wholeValue(type, "02 0141 024243")).toEqual({ count: 2, names: ["A", "BC"] });
    expect(type.struct.minimumWidth).toBe(1);
    expect(struct("S", { a: prefixed(u16, text), b: prefixed(u32, bytes) }).struct.minimumWidth).toBe(6);
  });
});

describe("a terminated text", () => {
  it.each([
    ["8-bit text", terminated(text), "486900", "Hi"],
    ["an empty text", terminated(text), "00", ""],
    ["Latin-1", terminated(text), "e900", "é"],
    ["UTF-16", terminated(utf16), "480069000000", "Hi"],
    ["a zero byte in a unit", terminated(utf16), "000100410000", "\u0100\u4100"],
  ] as const)("is read up to its first zero: %s", (_, type, bytes, value) => {
    expect(wholeValue(holding(type), `${bytes} 99`)).toEqual({ a: value, z: 0x99 });
    expect(jsonOf(holding(type), `${bytes} 99`)).toEqual({ a: value, z: 0x99 });
  });

  it("is written with its zero, and has no other", () => {
    expect(hex(encode(holding(terminated(text)), { a: "é", z: 1 }))).toBe("c3a90001");
    expect(hex(encode(holding(terminated(utf16)), { a: "H", z: 1 }))).toBe("4800000001");
    for (const type of [terminated(text), terminated(utf16)]) {
      expect(() => encode(holding(type), { a: "a\0b", z: 1 })).toThrow("a: would end at the zero in it");
      expect(() => encode<unknown>(holding(type), { a: 5, z: 1 })).toThrow("a: needs a string");
    }
  });

  it("waits for its zero", () => {
    expect(needed(holding(terminated(text)), "4869")).toBe(3);
    expect(needed(holding(terminated(utf16)), "4800 0000")).toBe(5);
    expect(needed(holding(terminated(utf16)), "4800")).toBe(4);
    expect(decode(holding(terminated(text)), "4869").notes).toEqual([
      "undissected: a needs 3 bytes at offset 0; 2 are left",
    ]);
  });

  it("may go to the end of its region, if that is declared", () => {
    const last = struct("S", { a: terminated(text, { zeroMayBeMissing: true }), left: bytes(rest) });
    expect(wholeValue(last, "4869")).toEqual({ a: "Hi" });
    expect(wholeValue(last, "486900")).toEqual({ a: "Hi" });
    expect(wholeValue(last, "48690001")).toEqual({ a: "Hi", left: "01" });
    expect(wholeValue(last, "")).toEqual({ a: "" });
    expect(last.struct.minimumWidth).toBe(0);
    const wide = struct("S", { a: terminated(utf16, { zeroMayBeMissing: true }) });
    expect(wholeValue(wide, "48006900")).toEqual({ a: "Hi" });
    expect(decode(wide, "480069").notes).toEqual(["undissected: a needs 4 bytes at offset 0; 3 are left"]);
    expect(decode(wide, "480069", Extent.Cut).outcome).toBe("truncated");
  });
});

describe("a text that says where it ends", () => {
  const type = struct("S", {
    a: prefixed(u8, text),
    b: prefixed(u16be, bytes),
    c: prefixed(varint, utf16),
    d: terminated(text),
    e: terminated(utf16),
    f: prefixed(u8, text, { kind: "PascalString" }),
    g: terminated(text, { kind: "CString" }),
  });

  it("is called by the words of its declaration, or by a name of its own", () => {
    const kinds = [...fieldFacts(type.struct)].map(({ kind }) => kind);
    expect(kinds).toEqual([
      "u8-prefixed text",
      "u16be-prefixed bytes",
      "varint-prefixed utf16le",
      "zero-terminated text",
      "zero-terminated utf16le",
      "PascalString",
      "CString",
    ]);
  });
});
