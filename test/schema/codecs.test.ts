import { describe, expect, it } from "vitest";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import {
  array,
  type Codec,
  choice,
  coded,
  equals,
  flag,
  flags,
  group,
  rest,
  struct,
  text,
  u8,
  usually,
  within,
} from "../../src/schema/index.js";
import { labelOf } from "../../src/schema/tree/label.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { asciiText, pascalText, shortVarint, u64Codec, varint } from "./support/codecs.js";
import { decode, jsonOf, needed, wholeValue, windowOn, wire } from "./support/decoding.js";

/** Bytes after their count, which is one byte, or a second byte after 0xff. */
const blobCodec: Codec<Uint8Array> = {
  measure(view, start, limit) {
    if (start + 1 > limit) return -1;
    const first = view.getUint8(start);
    if (first < 0xff) return start + 1 + first > limit ? -(1 + first) : 1 + first;
    if (start + 2 > limit) return -2;
    const length = 2 + view.getUint8(start + 1);
    return start + length > limit ? -length : length;
  },
  read: (bytes, start, end) => bytes.subarray(start + (bytes[start] === 0xff ? 2 : 1), end),
  write: (value) => Buffer.concat([Uint8Array.of(value.length), value]),
};
const blob = coded("blob", blobCodec);

/** Text of one character, whose writer would take anything. */
const textCodec: Codec<string> = {
  measure: (_, start, limit) => (start + 1 > limit ? -1 : 1),
  read: (bytes, start) => String.fromCharCode(bytes[start] ?? 0),
  write: (value) => Buffer.from(`${value}`, "latin1"),
};

const type = struct("S", { name: pascalText, blob, behind: u8 });

describe("a leaf with a codec", () => {
  it("is as long as its codec says", () => {
    expect(wholeValue(type, "02 4869 03 010203 99")).toEqual({ name: "Hi", blob: "03010203".slice(2), behind: 0x99 });
    expect(wholeValue(type, "00 00 99")).toEqual({ name: "", blob: "", behind: 0x99 });
  });

  it("may be empty where nothing is left, and has the bytes that its codec needs at least", () => {
    const tail = coded<string>("tail", {
      measure: (_, start, limit) => limit - start,
      read: (bytes, start, end) => Buffer.from(bytes.subarray(start, end)).toString("hex"),
      write: (value) => Buffer.from(value, "hex"),
    });
    const type = struct("S", { count: u8, tails: array(struct("Tail", { tail }), "count") });
    expect(wholeValue(type, "02 07")).toEqual({ count: 2, tails: [{ tail: "07" }, { tail: "" }] });
    expect(type.struct.minimumWidth).toBe(1);
    expect(struct("T", { blob, digit: coded("digit", textCodec), id: u8 }).struct.minimumWidth).toBe(3);
  });

  it("has the codec's kind", () => {
    const { nodes } = decode(type, "00 00 99");
    expect(nodes.field(1).kind).toBe("pascal");
  });

  it("is encoded by its codec", () => {
    expect(hex(encode(type, { name: "Hi", blob: wire("0102"), behind: 1 }))).toBe("02486902010201");
    expect(() => encode(type, { name: "a".repeat(256), blob: wire(""), behind: 1 })).toThrow(
      "name: holds at most 255 bytes",
    );
  });

  it("is missed in encoding, whatever its codec would write", () => {
    const type = struct("Named", { name: coded("name", textCodec), behind: u8 });
    expect(() => encode<unknown>(type, { behind: 9 })).toThrow("name: is missing");
  });

  it("keeps its bytes if the usual writer would produce different ones", () => {
    const { nodes } = decode(type, "02 e97a ff01aa 99");
    expect(plainValue(nodes, 0)).toEqual({
      name: new Exact("éz", wire("02e97a")),
      blob: new Exact(wire("aa"), wire("ff01aa")),
      behind: 0x99,
    });
  });

  it("keeps its bytes if the usual writer would reject the value", () => {
    const { nodes } = decode(struct("S", { name: pascalText }), `ff ${"e9".repeat(255)}`);
    expect(plainValue(nodes, 1)).toEqual(new Exact("é".repeat(255), new Uint8Array(nodes.bytes(1))));
  });

  it("that does not fit is not dissected", () => {
    expect(decode(type, "05 4869")).toMatchObject({
      outcome: "malformed",
      value: { undissected: "054869" },
      notes: ["undissected: name needs 6 bytes at offset 0; 3 are left"],
    });
    expect(decode(type, "05 4869", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      notes: ["undissected: name needs 6 bytes at offset 0; the capture holds 3"],
    });
  });

  it("waits for missing bytes", () => {
    expect(needed(type, "")).toBe(1);
    expect(needed(type, "05 4869")).toBe(6);
    expect(needed(type, "02 4869")).toBe(4);
    expect(needed(type, "02 4869 ff")).toBe(5);
    expect(needed(type, "02 4869 ff 05")).toBe(10);
    expect(needed(type, "02 4869 ff 00")).toBe(6);
    expect(needed(type, "02 4869 ff 00 99")).toBe(0);
  });

  it("may be in an array", () => {
    const list = struct("S", { count: u8, names: array(pascalText, "count") });
    expect(wholeValue(list, "02 0141 024243")).toEqual({ count: 2, names: ["A", "BC"] });
    expect(decode(list, "02 0141 0542")).toMatchObject({
      outcome: "malformed",
      value: { count: 2, names: ["A", "0542"] },
      notes: ["names[1]: an element needs 6 bytes at offset 3; 2 are left"],
    });
    expect(wholeValue(struct("S", { names: array(pascalText, rest) }), "0141 00 0142")).toEqual({
      names: ["A", "", "B"],
    });
  });
});

describe("a leaf that breaks the format, although it is complete", () => {
  const notes = ["name: name is not all ASCII"];

  it("is a fault, but the fields after it are known", () => {
    const named = struct("S", { name: asciiText, behind: u8 });
    expect(wholeValue(named, "02 4869 99")).toEqual({ name: "Hi", behind: 0x99 });
    const { nodes, ...decoded } = decode(named, "02 48e9 99");
    expect(decoded).toMatchObject({ outcome: "malformed", value: { name: "H\u00e9", behind: 0x99 }, notes });
    expect(nodes.notes).toMatchObject([{ severity: "error", node: 1 }]);
    expect(decode(named, "02 48e9 99", Extent.Cut).outcome).toBe("malformed");
    expect([needed(named, "02 48"), needed(named, "02 48e9"), needed(named, "02 48e9 99")]).toEqual([3, 4, 0]);
  });

  it("is a fault in an array, too", () => {
    expect(decode(struct("S", { names: array(asciiText, rest) }), "0148 01e9 0149")).toMatchObject({
      outcome: "malformed",
      value: { names: ["H", "\u00e9", "I"] },
      notes: ["names[1]: an element is not all ASCII"],
    });
  });

  it("is not followed by fields of its region if they depend on it", () => {
    const sized = struct("S", {
      size: u8,
      body: within("size", group({ length: shortVarint, a: text("length") })),
      behind: u8,
    });
    expect(wholeValue(sized, "03 02 4869 99")).toEqual({ size: 3, body: { length: 2, a: "Hi" }, behind: 0x99 });
    expect(decode(sized, "07 8280808000 4869 99")).toMatchObject({
      outcome: "malformed",
      value: { size: 7, body: { length: 2, undissected: "4869" }, behind: 0x99 },
      notes: ["body.length: length is longer than four bytes"],
    });
    expect(decode(sized, "05 8280808000 99")).toMatchObject({
      outcome: "malformed",
      value: { size: 5, body: { length: 2 }, behind: 0x99 },
    });
  });

  it("is no fault where the type is only the usual one", () => {
    const usual = struct("S", { size: u8, name: usually("size", asciiText), behind: u8 });
    const { outcome, value, nodes } = decode(usual, "03 02 48e9 99");
    expect([outcome, value]).toEqual(["ok", { size: 3, name: "0248e9", behind: 0x99 }]);
    expect(nodes.notes).toMatchObject([{ severity: "note" }]);
  });
});

const u64 = coded("u64", u64Codec);

describe("a number with a codec", () => {
  const long = "61".repeat(130);

  it("may be a length, in as many bytes as required", () => {
    const named = struct("S", { length: varint, name: text("length"), behind: u8 });
    expect(wholeValue(named, "02 4869 99")).toEqual({ length: 2, name: "Hi", behind: 0x99 });
    expect(wholeValue(named, `8201 ${long} 99`)).toEqual({ length: 130, name: "a".repeat(130), behind: 0x99 });
    expect(decode(named, "05 4869")).toMatchObject({
      outcome: "malformed",
      notes: ["undissected: name needs 5 bytes (length says so) at offset 1; 2 are left"],
    });
    expect(needed(named, "82")).toBe(2);
    expect(needed(named, "8201")).toBe(132);
  });

  it("may be a count, even in a struct", () => {
    const counted = struct("S", { head: group({ count: varint }), list: array(u8, "head.count"), behind: u8 });
    expect(wholeValue(counted, "02 0102 99")).toEqual({ head: { count: 2 }, list: [1, 2], behind: 0x99 });
  });

  it("decides whether a field is present, and which one", () => {
    const chosen = struct("S", {
      kind: varint,
      a: u8.when(equals("kind", 130)),
      b: choice("kind", { 1: u8 }, pascalText),
    });
    expect(wholeValue(chosen, "01 07")).toEqual({ kind: 1, b: 7 });
    expect(wholeValue(chosen, "8201 07 0141")).toEqual({ kind: 130, a: 7, b: "A" });
  });

  it("is computed in encoding", () => {
    const named = struct("S", { length: varint, name: text("length") });
    expect(hex(encode(named, { length: 130, name: "a".repeat(130) }))).toBe(`8201${long}`);
    expect(hex(encode(named, { name: "a".repeat(130) } as never))).toBe(`8201${long}`);
    const nested = struct("S", {
      length: varint,
      body: within("length", group({ kind: varint, list: array(u8, rest) })),
    });
    expect(hex(encode(nested, { body: { kind: 300, list: [1] } } as never))).toBe("03ac0201");
  });

  it("violates the format if it is invalid, or longer than the available bytes", () => {
    const digits: Codec<number> = {
      isWholeNumber: true,
      measure: (_view, start, limit) => (start + 2 > limit ? -2 : 2),
      read: (bytes, start, end) => Number(Buffer.from(bytes.subarray(start, end)).toString()),
      write: (value) => Buffer.from(String(value).padStart(2, "0")),
    };
    const named = struct("S", { length: coded("digits", digits), name: text("length"), behind: u8 });
    expect(wholeValue(named, "3032 4869 99")).toEqual({ length: 2, name: "Hi", behind: 0x99 });
    expect(decode(named, "3078 4869 99")).toMatchObject({
      outcome: "malformed",
      value: { length: Number.NaN, undissected: "486999" },
      notes: ["length: length is NaN, which is not a whole number"],
    });
    expect(decode(named, "3078", Extent.Cut).outcome).toBe("malformed");
    const large = struct("S", { length: varint, name: text("length") });
    expect(decode(large, `${"ff".repeat(20)}01 4869`).outcome).toBe("malformed");
    expect(decode(large, `${"ff".repeat(200)}01 4869`).outcome).toBe("malformed");
  });

  it("has no bit names if it is larger than any number", () => {
    const marked = struct("S", { marks: flags(varint, { kOne: 1 }) });
    expect(labelOf(decode(marked, `${"ff".repeat(200)}01`).nodes, 1)).toBeUndefined();
    expect(labelOf(decode(marked, "01").nodes, 1)).toBe("kOne");
  });

  it("can have 64 bits", () => {
    const counted = struct("S", { length: u64, name: text("length") });
    expect(wholeValue(counted, "0000000000000002 4869")).toEqual({ length: 2n, name: "Hi" });
    expect(jsonOf(counted, "ffffffffffffffff")).toEqual({ length: "18446744073709551615" });
    expect(decode(counted, "8000000000000002 4869").outcome).toBe("malformed");
  });

  it("shows conditions its lowest 32 bits, like other 64-bit numbers", () => {
    const seen = struct("S", { marks: u64, odd: u8.when(flag("marks", 1)) });
    expect(wholeValue(seen, "1000000000000001 07")).toEqual({ marks: 0x1000000000000001n, odd: 7 });
    expect(wholeValue(seen, "1000000000000000")).toEqual({ marks: 0x1000000000000000n });
    expect(hex(encode(seen, { marks: 0x1000000000000001n, odd: 7 }))).toBe("100000000000000107");
  });

  it("has to yield a number", () => {
    const odd = { isWholeNumber: true, measure: () => 1, read: () => "2", write: () => new Uint8Array(1) };
    const named = struct("S", { length: coded("odd", odd), name: text("length") });
    expect(() => decode(named, "02 4869")).toThrow("length: the codec reads 2, which is not a number");
  });
});

it.each([undefined, null, true, { a: 1 }])("a codec that reads nonsense is reported: %s", (value) => {
  const odd = { measure: () => 1, read: () => value as never, write: () => new Uint8Array(1) };
  const decoder = new Decoder();
  decoder.decode(struct("S", { odd: coded("odd", odd) }), windowOn(wire("01")), Extent.Exact);
  expect(() => decoder.nodes.value(1)).toThrow(`odd: the codec reads ${String(value)}, which is not a text, a number`);
});

it.each([true, false, 1, {}])("a codec that finds a nonsensical problem is reported: %s", (problem) => {
  const odd = { measure: () => 1, read: () => "", problem: () => problem as never, write: () => new Uint8Array(1) };
  const text = `odd: the problem that the codec finds is ${String(problem)}, which is not a text`;
  expect(() => decode(struct("S", { odd: coded("odd", odd) }), "01")).toThrow(text);
});

describe("a codec that measures nonsense is reported", () => {
  it.each<[string, unknown]>([
    ["nothing, where there are bytes", 0],
    ["no number", Number.NaN],
    ["parts of a byte", 1.5],
    ["parts of a missing byte", -3.5],
    ["without end", -Infinity],
    ["a text", "1"],
    ["more than is left", 4],
    ["fewer needed bytes than available", -1],
  ])("%s", (_what, length) => {
    const odd: Codec<string> = { measure: () => length as never, read: () => "", write: () => new Uint8Array(1) };
    const broken = struct("S", { odd: coded("odd", odd) });
    expect(() => decode(broken, "010203")).toThrow(`odd: the codec measured ${length} bytes, with 3 left`);
  });
});
