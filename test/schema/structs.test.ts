import { describe, expect, it } from "vitest";
import { encode } from "../../src/schema/encode/encode.js";
import { array, derive, type FieldTree, group, struct, tuple, u8, uuid } from "../../src/schema/index.js";
import { labelOf } from "../../src/schema/tree/label.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16 } from "../../src/schema/words/little-endian.js";
import { decode, jsonOf, wholeValue } from "./support/decoding.js";

const base = struct("Base", { first: u8, second: u16 }, { doc: "The base." });
const middle = derive("Middle", base, { third: u8 });
const last = derive("Last", middle, { fourth: u8 }, { tag: 7 });

describe("a struct", () => {
  it("has its fields in the order of the declaration", () => {
    expect(wholeValue(struct("S", { b: u8, a: u8, c: u8 }), "010203")).toEqual({ b: 1, a: 2, c: 3 });
  });

  it("may have no fields", () => {
    expect(wholeValue(struct("S", { nothing: group({}), one: u8 }), "01")).toEqual({ nothing: {}, one: 1 });
    expect(wholeValue(struct("S", {}), "")).toEqual({});
  });

  it("in a struct covers its own bytes", () => {
    const { nodes } = decode(struct("S", { before: u8, inner: base, behind: u8 }), "01 020300 04");
    const inner = nodes.child(0, "inner");
    expect([nodes.startOf(inner), nodes.endOf(inner)]).toEqual([1, 4]);
    expect(nodes.path(inner + 2)).toBe("inner.second");
  });
});

describe("a derived class", () => {
  it("has the fields of its base classes first", () => {
    const { nodes } = decode(last, "01 0200 03 04");
    expect(Object.keys(JSON.parse(JSON.stringify(jsonOf(last, "01 0200 03 04"))))).toEqual([
      "first",
      "second",
      "third",
      "fourth",
    ]);
    expect(nodes.field(0).name).toBe("Last");
    expect(hex(encode(last, { first: 1, second: 2, third: 3, fourth: 4 }))).toBe("0102000304");
  });

  it("is one of its base classes, and of no other", () => {
    expect(last.struct.isA(base.struct)).toBe(true);
    expect(last.struct.isA(last.struct)).toBe(true);
    expect(middle.struct.isA(last.struct)).toBe(false);
    expect(struct("Base", { first: u8 }).struct.isA(base.struct)).toBe(false);
  });

  it("leaves its base class unchanged", () => {
    expect(wholeValue(base, "01 0200")).toEqual({ first: 1, second: 2 });
    expect(wholeValue(middle, "01 0200 03")).toEqual({ first: 1, second: 2, third: 3 });
  });

  it("has its own tag and description", () => {
    expect([last.struct.tag, middle.struct.tag]).toEqual([7, undefined]);
    expect([base.struct.doc, middle.struct.doc]).toEqual(["The base.", ""]);
  });
});

describe("derived values", () => {
  const sum = (nodes: FieldTree, node: number) => nodes.number(node + 1) + nodes.number(node + 2);
  const pair = struct(
    "Pair",
    { a: u8, b: u8 },
    {
      derived: [
        { name: "sum", doc: "Both.", schema: {}, of: sum },
        { name: "none", doc: "Never there.", schema: {}, of: () => undefined },
        { name: "kind", doc: "With names.", schema: {}, of: () => [1], meaning: () => ["kOne"] },
      ],
    },
  );
  const triple = derive(
    "Triple",
    pair,
    { c: u8 },
    { derived: [{ name: "own", doc: "Its own.", schema: {}, of: () => "yes" }] },
  );

  it("follow the fields in JSON, those of base classes first", () => {
    expect(jsonOf(pair, "0102")).toEqual({ a: 1, b: 2, sum: 3, kind: ["kOne"] });
    expect(JSON.stringify(jsonOf(triple, "010203"))).toBe('{"a":1,"b":2,"c":3,"sum":3,"kind":["kOne"],"own":"yes"}');
    expect(jsonOf(struct("S", { pairs: array(pair, 2) }), "01020304")).toMatchObject({
      pairs: [{ sum: 3 }, { sum: 7 }],
    });
  });

  it("are not part of the plain value", () => {
    expect(wholeValue(triple, "010203")).toEqual({ a: 1, b: 2, c: 3 });
  });
});

describe("a struct shown as one string", () => {
  const point = struct(
    "Point",
    { x: u8, y: u8 },
    {
      shownAs: (nodes, node) =>
        nodes.child(node, "y") < 0 ? undefined : `(${nodes.number(node + 1)}, ${nodes.number(node + 2)})`,
    },
  );
  const named = derive("Named", point, { z: u8 });

  it("is that string in JSON, and has it as a label", () => {
    const type = struct("S", { at: point });
    expect(jsonOf(type, "0102")).toEqual({ at: "(1, 2)" });
    expect(labelOf(decode(type, "0102").nodes, 1)).toBe("(1, 2)");
  });

  it("passes it on to derived classes", () => {
    expect(jsonOf(struct("S", { at: named }), "010203")).toEqual({ at: "(1, 2)" });
  });

  it("is an object if it was not decoded completely", () => {
    expect(jsonOf(struct("S", { at: point }), "01")).toEqual({ at: { x: 1 } });
  });
});

describe("a tuple", () => {
  const type = struct("S", { first: u8, values: tuple([u8, u16, base, uuid]), behind: u8 });
  const bytes = `01 02 0300 040500 ${"00".repeat(16)} 06`;
  const id = "00000000-0000-0000-0000-000000000000";

  it("has elements of different types", () => {
    expect(wholeValue(type, bytes)).toEqual({
      first: 1,
      values: [2, 3, { first: 4, second: 5 }, id],
      behind: 6,
    });
    expect(decode(type, bytes).nodes.path(5)).toBe("values[2]");
    expect(wholeValue(struct("S", { none: tuple([]), behind: u8 }), "01")).toEqual({ none: [], behind: 1 });
  });

  it("is an array of fixed length to the encoder", () => {
    const value = { first: 1, values: [2, 3, { first: 4, second: 5 }, id], behind: 6 };
    expect(hex(encode(type, value))).toBe(bytes.replace(/ /g, ""));
    expect(() => encode(type, { ...value, values: [2, 3] })).toThrow("values");
    expect(() => encode(type, { ...value, values: [...value.values, 5] })).toThrow("values");
    expect(() => encode<unknown>(type, { ...value, values: 5 })).toThrow("values: needs an array");
  });

  it("that is too long for its bytes keeps the elements present", () => {
    expect(decode(type, "01 02 0300 0405")).toMatchObject({
      outcome: "malformed",
      value: { first: 1, values: [2, 3, { first: 4, undissected: "05" }] },
      notes: ["values[2].undissected: second needs 2 bytes at offset 5; 1 is left"],
    });
    expect(decode(type, "01 02 03")).toMatchObject({
      value: { first: 1, values: [2, "03"] },
      notes: ["values[1]: an element needs 2 bytes at offset 2; 1 is left"],
    });
  });

  it("is as wide as its elements when it is counted", () => {
    const pairs = struct("S", { count: u16, pairs: array(tuple([u8, u16]), "count") });
    expect(wholeValue(pairs, "0200 010200 030400")).toEqual({
      count: 2,
      pairs: [
        [1, 2],
        [3, 4],
      ],
    });
    expect(decode(pairs, "0200 010200").notes).toEqual([
      "pairs[0]: pairs needs 6 bytes (count says so) at offset 2; 3 are left",
    ]);
  });
});
