import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import {
  array,
  bytes,
  choice,
  equals,
  group,
  polymorphic,
  rest,
  struct,
  type Type,
  u8,
  undeclared,
  usually,
  within,
} from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16, u32 } from "../../src/schema/words/little-endian.js";
import { type Decoded, decode, needed, wholeValue, wire } from "./support/decoding.js";
import { animals } from "./support/families.js";

/** Content that may be compressed, after `literal` bytes that never are. */
function compressible<V>(content: Type<V>, literal = 0) {
  const compression = { when: equals("how", 1), literal, inflatedLength: "length" };
  return struct("S", { length: u32, how: u8, size: u32, data: within("size", content, compression), behind: u8 });
}

const word = (value: number): string => hex(encode(u32, value));

/** The wire form of compressed bytes. */
function packet(content: Uint8Array, length: number): string {
  return `${word(length)} 01 ${word(content.length)} ${hex(content)} 09`;
}

const list = group({ count: u8, list: array(u16, "count") });
const plain = wire("02 0100 0200");
const packed = deflateSync(plain);
const type = compressible(list);

/** The decoded value of the data, which is always followed by the rest of the message. */
function dataOf(decoded: Decoded): unknown {
  const { value } = decoded;
  expect(value).toMatchObject({ behind: 9 });
  return typeof value === "object" && value !== null && "data" in value ? value.data : undefined;
}

describe("a compressed region", () => {
  it("is its own byte source", () => {
    const { nodes, value } = decode(type, packet(packed, plain.length));
    expect(value).toMatchObject({ data: { count: 2, list: [1, 2] }, behind: 9 });
    const data = nodes.child(0, "data");
    expect(nodes.sources.map(({ kind, length, parent }) => ({ kind, length, parent }))).toEqual([
      { kind: "message", length: 10 + packed.length, parent: -1 },
      { kind: "inflated", length: 5, parent: data },
    ]);
    // The data covers the compressed bytes, its fields cover the inflated ones.
    expect([nodes.sourceIndexOf(data), nodes.startOf(data), nodes.endOf(data)]).toEqual([0, 9, 9 + packed.length]);
    expect([nodes.sourceIndexOf(data + 1), nodes.startOf(data + 1), nodes.endOf(data + 1)]).toEqual([1, 0, 1]);
    expect(hex(nodes.bytes(data + 2))).toBe("01000200");
    expect(nodes.paths([data + 4])).toEqual(["data.list[1]"]);
  });

  it("is not compressed if its condition does not hold", () => {
    expect(wholeValue(type, "00000000 00 05000000 0201000200 09")).toMatchObject({ data: { list: [1, 2] } });
    expect(decode(type, "00000000 00 05000000 0201000200 09").nodes.sources).toHaveLength(1);
  });

  it("of no bytes is absent", () => {
    expect(wholeValue(type, "05000000 01 00000000 09")).not.toHaveProperty("data");
  });

  it("may begin with uncompressed bytes", () => {
    const behindLiteral = compressible(list, 2);
    const content = Buffer.concat([plain.subarray(0, 2), deflateSync(plain.subarray(2))]);
    expect(wholeValue(behindLiteral, packet(content, plain.length))).toMatchObject({
      data: { count: 2, list: [1, 2] },
    });
    const nothing = Buffer.concat([wire("0000"), deflateSync(wire(""))]);
    expect(wholeValue(compressible(group({ word: u16 }), 2), packet(nothing, 2))).toMatchObject({ data: { word: 0 } });
  });

  it("may be compressed to the maximum", () => {
    const zeros = Buffer.alloc(400_000);
    const { outcome, nodes } = decode(
      compressible(group({ all: bytes(rest) })),
      packet(deflateSync(zeros), zeros.length),
    );
    expect(outcome).toBe("ok");
    expect(nodes.sources[1]?.length).toBe(zeros.length);
  });

  it("may contain others", () => {
    const inner = Buffer.from(wire(packet(packed, plain.length)));
    const outer = packet(deflateSync(inner), inner.length);
    const { nodes } = decode(compressible(type), outer);
    expect(nodes.outcome).toBe("ok");
    expect(nodes.sources.map(({ parent }) => (parent < 0 ? "" : nodes.path(parent)))).toEqual([
      "",
      "data",
      "data.data",
    ]);
    expect(nodes.sourceIndexOf(nodes.sources[2]?.parent ?? 0)).toBe(1);
  });

  it("may hold a class or an array", () => {
    expect(wholeValue(compressible(polymorphic(animals)), packet(deflateSync(wire("02 0500")), 3))).toMatchObject({
      data: { class: "Cat", lives: 5 },
    });
    expect(wholeValue(compressible(polymorphic(animals)), packet(deflateSync(wire("00")), 1))).toMatchObject({
      data: { kind: 0 },
    });
    expect(wholeValue(compressible(array(u16, rest)), packet(deflateSync(wire("0100 0200")), 4))).toMatchObject({
      data: [1, 2],
    });
  });

  it("may be a choice", () => {
    const chosen = choice("how", { 1: group({ a: u8 }) }, group({ b: u8 }));
    expect(wholeValue(compressible(chosen), packet(deflateSync(wire("05")), 1))).toMatchObject({ data: { a: 5 } });
  });
});

describe("a compressed region that violates the format", () => {
  it.each([
    ["fewer", 6, "the compressed data inflates to 5 bytes instead of 6"],
    ["more", 4, "the compressed data inflates to more than the 4 bytes that it declares"],
    ["many fewer", 5000, "the compressed data inflates to 5 bytes instead of 5000"],
  ])("inflates to %s bytes than it declares", (_, length, problem) => {
    const decoded = decode(type, packet(packed, length));
    expect(decoded.outcome).toBe("malformed");
    expect(decoded.notes).toContain(`data: ${problem}`);
    expect(decoded.nodes.sources[1]?.length).toBe(Math.min(length, 5));
    expect(dataOf(decoded)).toMatchObject({ count: 2 });
  });

  it("stops a bomb at the declared length", () => {
    const bomb = deflateSync(Buffer.alloc(5_000_000));
    const decoded = decode(compressible(array(u8, rest)), packet(bomb, 16));
    expect(decoded.nodes.sources[1]?.bytes.length).toBe(16);
    expect(decoded.nodes.sources[1]?.bytes.buffer.byteLength).toBe(16);
    expect(decoded.notes).toEqual(["data: the compressed data inflates to more than the 16 bytes that it declares"]);
    expect(dataOf(decoded)).toEqual(Array(16).fill(0));
  });

  it("keeps what a broken stream yielded before it broke", () => {
    const long = group({ count: u16, list: array(u8, "count") });
    const bytes = Buffer.concat([wire("e803"), Buffer.from(Array.from({ length: 1000 }, (_, n) => (n * n) & 0xff))]);
    const decoded = decode(compressible(long), packet(deflateSync(bytes).subarray(0, -6), bytes.length));
    expect(decoded.outcome).toBe("malformed");
    expect(decoded.notes[0]).toMatch(/^data: the compressed data is not a complete zlib stream/);
    expect(dataOf(decoded)).toMatchObject({ count: 1000 });
  });

  it.each([
    ["is not a zlib stream", wire("ffffffffffff")],
    ["ends in its header", packed.subarray(0, 1)],
    ["is one zero byte", wire("00")],
  ])("is one opaque leaf if it %s", (_, content) => {
    const decoded = decode(type, packet(content, plain.length));
    expect(decoded.outcome).toBe("malformed");
    expect(decoded.notes).toEqual([
      expect.stringMatching(/^data: the compressed data is not a complete zlib stream \(.+\)$/),
    ]);
    expect(dataOf(decoded)).toBe(hex(content));
    expect(decoded.nodes.sources).toHaveLength(1);
  });

  it("is reported if the checksum is wrong", () => {
    const content = Buffer.from(packed);
    content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1);
    const decoded = decode(type, packet(content, plain.length));
    expect(decoded.notes).toEqual(["data: the compressed data is not a complete zlib stream (incorrect data check)"]);
    expect(dataOf(decoded)).toEqual({ count: 2, list: [1, 2] });
  });

  it("may have bytes after its zlib stream", () => {
    const decoded = decode(type, packet(Buffer.concat([packed, wire("aabb")]), plain.length));
    expect(decoded.outcome).toBe("malformed");
    expect(decoded.notes).toEqual(["data: the compressed data has 2 bytes left over after its zlib stream"]);
    expect(dataOf(decoded)).toEqual({ count: 2, list: [1, 2] });
  });

  it.each([
    ["fewer bytes than are literal", wire("aa"), 5, /ends early/],
    ["only literal bytes", wire("aabb"), 5, /ends early/],
    ["only literal bytes, and says so", wire("aabb"), 2, /ends early/],
    [
      "a declared length below the literal bytes",
      Buffer.concat([wire("aabb"), packed]),
      1,
      /inflates to more than the 1/,
    ],
    ["a declared length of 0", Buffer.concat([wire("aabb"), packed]), 0, /inflates to more than the 0/],
  ])("has %s", (_, content, length, problem) => {
    const decoded = decode(compressible(list, 2), packet(content, length));
    expect(decoded.outcome).toBe("malformed");
    expect(decoded.notes).toHaveLength(1);
    expect(decoded.notes[0]).toMatch(/^data: /);
    expect(decoded.notes[0]).toMatch(problem);
    expect(dataOf(decoded)).toBe(hex(content));
  });

  it("reports what is wrong with the compression before the consequences", () => {
    const { notes } = decode(type, packet(packed, plain.length - 1));
    expect(notes).toEqual([
      "data: the compressed data inflates to more than the 4 bytes that it declares",
      expect.stringMatching(/^data\.list.*that length gives$/),
    ]);
  });

  it("may have content that does not fit the inflated bytes", () => {
    const decoded = decode(compressible(group({ word: u16, other: u32 })), packet(packed, plain.length));
    expect(decoded.notes).toEqual([
      "data.undissected: other needs 4 bytes at offset 2; 3 are left of the bytes that length gives",
    ]);
    const over = decode(compressible(group({ word: u16 })), packet(packed, plain.length));
    expect(over.notes).toEqual(["data.undissected: 3 bytes left over after the last field"]);
    expect(dataOf(over)).toEqual({ word: 0x0102, undissected: "000200" });
  });

  it.each([
    ["no tag", polymorphic(animals), wire("")],
    ["an unknown choice", choice("how", { 5: group({ a: u8 }) }), wire("7f")],
    ["an unknown choice of nothing", choice("how", { 5: group({ a: u8 }) }), wire("")],
  ] as const)("is one opaque leaf if its content has %s", (_, content, bytes) => {
    const untyped: Type<unknown> = content;
    const decoded = decode(compressible(untyped), packet(deflateSync(bytes), bytes.length));
    expect(decoded.outcome).not.toBe("ok");
    expect(decoded.notes).toEqual([expect.stringMatching(/^data: /)]);
    expect(dataOf(decoded)).toBe(hex(deflateSync(bytes)));
    expect(decoded.nodes.sources).toHaveLength(1);
  });

  it("is no longer mentioned after its end", () => {
    const bytes = wire(packet(packed, plain.length)).subarray(0, -1);
    expect(decode(type, bytes).notes).toEqual([`: behind needs 1 byte at offset ${bytes.length}; 0 are left`]);
    const cut = decode(type, bytes, Extent.Cut);
    expect(cut.outcome).toBe("truncated");
    expect(cut.notes).toEqual([`: behind needs 1 byte at offset ${bytes.length}; the capture holds 0`]);
  });

  it("may claim to inflate to more than the limit", () => {
    const limits = { ...defaultLimits, depth: 8, nodes: 1000, inflated: 100 };
    const decoded = decode(type, packet(packed, 101), Extent.Exact, limits);
    expect(decoded.notes).toEqual(["data: the compressed data would inflate to 101 bytes; the limit is 100"]);
    expect(dataOf(decoded)).toBe(hex(packed));
    expect(decode(type, packet(packed, 100), Extent.Exact, limits).notes).toContain(
      "data: the compressed data inflates to 5 bytes instead of 100",
    );
  });

  it("shares the limit with the other regions of its message", () => {
    const limits = { ...defaultLimits, depth: 8, nodes: 1000, inflated: 12 };
    const two = array(type, 2);
    const { outcome, notes } = decode(two, packet(packed, 5).repeat(2), Extent.Exact, limits);
    expect([outcome, notes]).toEqual(["ok", []]);
    const three = array(type, 3);
    expect(decode(three, packet(packed, 5).repeat(3), Extent.Exact, limits)).toMatchObject({
      outcome: "malformed",
      value: [{ data: { count: 2 } }, { data: { count: 2 } }, { data: hex(packed), behind: 9 }],
      notes: ["[2].data: the compressed data would inflate to 5 bytes; the limit is 12, of which 10 are used up"],
    });
    const decoderIsFresh = decode(two, packet(packed, 5).repeat(2), Extent.Exact, limits);
    expect(decoderIsFresh.outcome).toBe("ok");
  });

  it("cannot make its reader allocate what it only claims", () => {
    const { nodes } = decode(type, packet(packed, 16_000_000));
    expect(nodes.sources[1]?.bytes.buffer.byteLength).toBeLessThan(100_000);
  });
});

describe("an incomplete compressed region", () => {
  const bytes = packet(packed, plain.length);

  it("is cut as a whole", () => {
    const cut = wire(bytes).subarray(0, 12);
    expect(decode(type, cut, Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { undissected: hex(packed.subarray(0, 3)) },
      notes: [`undissected: data needs ${packed.length} bytes (size says so) at offset 9; the capture holds 3`],
    });
    expect(needed(type, cut)).toBe(9 + packed.length);
  });
});

describe("a compressed region inside one that lacks its usual content", () => {
  it("leaves no trace", () => {
    const outer = struct("O", { size: u8, data: usually("size", group({ inner: type, more: u32 })), behind: u8 });
    const inner = wire(packet(packed, plain.length));
    const { nodes, value } = decode(outer, Buffer.concat([Uint8Array.of(inner.length), inner, wire("07")]));
    expect(value).toEqual({ size: inner.length, data: hex(inner), behind: 7 });
    expect(nodes.sources).toHaveLength(1);
  });
});

describe("the encoder", () => {
  it("keeps the compressed bytes of a decoded value", () => {
    // A compression level other than the writer's usual one.
    const stored = deflateSync(plain, { level: 0 });
    const { nodes } = decode(type, packet(stored, plain.length));
    expect(plainValue(nodes, nodes.child(0, "data"))).toEqual(
      new Exact({ count: 2, list: [1, 2] }, new Uint8Array(stored)),
    );
  });

  it.each([
    ["an array", array(u16, rest), wire("0100 0200")],
    ["a class", polymorphic(animals), wire("02 0500")],
    ["a null", polymorphic(animals), wire("00")],
    ["an unknown class", polymorphic(animals), wire("07 0500")],
    ["undeclared bytes", group({ all: undeclared("It is a secret.") }), wire("0102")],
  ] as const)("keeps the compressed bytes of %s", (_, content, bytes) => {
    const stored = deflateSync(bytes, { level: 0 });
    const untyped: Type<unknown> = content;
    expect(decode(compressible(untyped), packet(stored, bytes.length)).value).toMatchObject({ behind: 9 });
  });

  it("compresses a changed value", () => {
    const { nodes } = decode(type, packet(packed, plain.length));
    const data = plainValue(nodes, nodes.child(0, "data"));
    const changed = new Exact({ count: 1, list: [7] }, data instanceof Exact ? data.bytes : wire(""));
    const bytes = encode<unknown>(type, { how: 1, data: changed, behind: 9 });
    expect(wholeValue(type, bytes)).toMatchObject({ length: 3, data: { count: 1, list: [7] }, behind: 9 });
  });

  it("computes both lengths", () => {
    for (const how of [0, 1]) {
      const bytes = encode<unknown>(compressible(list, 2), { how, data: { list: [1, 2, 3] }, behind: 9 });
      expect(wholeValue(compressible(list, 2), bytes)).toMatchObject({ length: 7, how, data: { list: [1, 2, 3] } });
    }
  });
});
