import { describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode.js";
import { encode } from "../../src/schema/encode.js";
import { Exact } from "../../src/schema/exact.js";
import { array, type Codec, coded, rest, struct, u8 } from "../../src/schema/index.js";
import { hex } from "../../src/schema/leaf.js";
import { plainValue } from "../../src/schema/value.js";
import { pascalText } from "./support/codecs.js";
import { decode, needed, wholeValue, wire } from "./support/decoding.js";

/** Bytes behind their count, which may be given in one byte or, behind a 0xff, in another one. */
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

const type = struct("S", { name: pascalText, blob, behind: u8 });

describe("a leaf with a codec", () => {
  it("is as long as its codec says", () => {
    expect(wholeValue(type, "02 4869 03 010203 99")).toEqual({ name: "Hi", blob: "03010203".slice(2), behind: 0x99 });
    expect(wholeValue(type, "00 00 99")).toEqual({ name: "", blob: "", behind: 0x99 });
  });

  it("has the codec's kind", () => {
    const { nodes } = decode(type, "00 00 99");
    expect(nodes.field(1).kind).toBe("pascal");
  });

  it("is written by its codec", () => {
    expect(hex(encode(type, { name: "Hi", blob: wire("0102"), behind: 1 }))).toBe("02486902010201");
    expect(() => encode(type, { name: "a".repeat(256), blob: wire(""), behind: 1 })).toThrow(
      "name: holds at most 255 bytes",
    );
  });

  it("keeps its bytes where the usual writer would make others", () => {
    const { nodes } = decode(type, "02 e97a ff01aa 99");
    expect(plainValue(nodes, 0)).toEqual({
      name: new Exact("éz", wire("02e97a")),
      blob: new Exact(wire("aa"), wire("ff01aa")),
      behind: 0x99,
    });
  });

  it("keeps its bytes where the usual writer would refuse the value", () => {
    const { nodes } = decode(struct("S", { name: pascalText }), `ff ${"e9".repeat(255)}`);
    expect(plainValue(nodes, 1)).toEqual(new Exact("é".repeat(255), new Uint8Array(nodes.bytes(1))));
  });

  it("that does not fit is not taken apart", () => {
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

  it("is waited for", () => {
    expect(needed(type, "")).toBe(1);
    expect(needed(type, "05 4869")).toBe(6);
    expect(needed(type, "02 4869")).toBe(4);
    expect(needed(type, "02 4869 ff")).toBe(5);
    expect(needed(type, "02 4869 ff 05")).toBe(10);
    expect(needed(type, "02 4869 ff 00")).toBe(6);
    expect(needed(type, "02 4869 ff 00 99")).toBe(0);
  });

  it("stands in an array", () => {
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
