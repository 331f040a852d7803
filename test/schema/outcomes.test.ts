import { describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode/window.js";
import { array, bytes, group, polymorphic, rest, struct, u8, undeclared, within } from "../../src/schema/index.js";
import { u16, u32 } from "../../src/schema/words/little-endian.js";
import { decode } from "./support/decoding.js";
import { animals } from "./support/families.js";

const type = struct("S", { a: u8, inner: group({ b: u16, c: u32 }), d: u8 });
const whole = "01 0200 03000000 04";

describe("the outcome of a value", () => {
  it("is ok if it is complete", () => {
    expect(decode(type, whole)).toMatchObject({ outcome: "ok", consumed: 8, notes: [] });
    expect(decode(type, whole, Extent.Cut)).toMatchObject({ outcome: "ok", consumed: 8, notes: [] });
    expect(decode(type, whole, Extent.Open)).toMatchObject({ outcome: "ok", consumed: 8, notes: [] });
  });

  it("is malformed if it needs more bytes than it has", () => {
    const { nodes, ...decoded } = decode(type, "01 0200 030000");
    expect(decoded).toMatchObject({
      outcome: "malformed",
      consumed: 6,
      value: { a: 1, inner: { b: 2, undissected: "030000" } },
      notes: ["inner.undissected: c needs 4 bytes at offset 3; 3 are left"],
    });
    expect(nodes.notes[0]?.severity).toBe("error");
  });

  it("is malformed if it has more bytes than it needs", () => {
    const { nodes, ...decoded } = decode(type, `${whole} aabb`);
    expect(decoded).toMatchObject({
      outcome: "malformed",
      consumed: 10,
      value: { d: 4, undissected: "aabb" },
      notes: ["undissected: 2 bytes left over after the last field"],
    });
    expect(nodes.notes[0]?.severity).toBe("warning");
  });

  it("is truncated if the capture does not contain all of it", () => {
    const { nodes, ...decoded } = decode(type, "01 0200 030000", Extent.Cut);
    expect(decoded).toMatchObject({
      outcome: "truncated",
      consumed: 6,
      value: { a: 1, inner: { b: 2, undissected: "030000" } },
      notes: ["inner.undissected: c needs 4 bytes at offset 3; the capture holds 3"],
    });
    expect(nodes.notes[0]?.severity).toBe("error");
  });

  it("does not depend on the bytes after it, unless they are its own", () => {
    for (const extent of [Extent.Cut, Extent.Open]) {
      expect(decode(type, `${whole} aabb`, extent)).toMatchObject({ outcome: "ok", consumed: 8, notes: [] });
    }
  });

  it("names the field that claimed a length", () => {
    const sized = struct("S", { n: u8, data: bytes({ field: "n", times: 2 }) });
    expect(decode(sized, "03 aa").notes).toEqual([
      "undissected: data needs 6 bytes (n says so) at offset 1; 1 is left",
    ]);
    expect(decode(sized, "03 aa", Extent.Cut).notes).toEqual([
      "undissected: data needs 6 bytes (n says so) at offset 1; the capture holds 1",
    ]);
    const nested = struct("O", { head: group({ size: u8 }), body: within("head.size", sized) });
    expect(decode(nested, "02 03 aa").notes).toEqual([
      "body.undissected: data needs 6 bytes (n says so) at offset 2; 1 is left of the bytes that head.size gives",
    ]);
  });

  it("is attributed to the struct that lacks a field if no byte of the field is present", () => {
    const list = struct("S", { inner: group({ list: array(group({ x: u8, y: u8 }), rest) }) });
    expect(decode(type, "01 0200").notes).toEqual(["inner: c needs 4 bytes at offset 3; 0 are left"]);
    expect(decode(type, "01 0200 03000000").notes).toEqual([": d needs 1 byte at offset 7; 0 are left"]);
    expect(decode(type, "", Extent.Cut).notes).toEqual([": a needs 1 byte at offset 0; the capture holds 0"]);
    expect(decode(list, "01 02 03").notes).toEqual(["inner.list[1]: y needs 1 byte at offset 3; 0 are left"]);
  });
});

describe("several faults in one value", () => {
  const boxed = struct("S", {
    sizes: array(u8, 3),
    one: within(2, group({ a: u8, b: u8 })),
    two: within(2, group({ a: u32 })),
    three: within(2, polymorphic(animals)),
    four: within(2, undeclared("Nobody knows it.")),
    last: u8,
  });

  it("are all reported, and what follows a malformed region is decoded", () => {
    expect(decode(boxed, "010203 0102 0304 7faa 0506 09")).toMatchObject({
      outcome: "malformed",
      value: {
        one: { a: 1, b: 2 },
        two: { undissected: "0304" },
        three: { kind: 127, undissected: "aa" },
        four: "0506",
        last: 9,
      },
      notes: [
        "two.undissected: a needs 4 bytes at offset 5; 2 are left",
        "three: kind 127 (0x007f) is not a declared class of animals",
        "four: Nobody knows it.",
      ],
    });
  });

  it("result in the worst outcome", () => {
    expect(decode(boxed, "010203 0102 0304 7faa 0506", Extent.Cut).outcome).toBe("malformed");
    const mild = struct("S", { one: within(2, polymorphic(animals)), two: u16 });
    expect(decode(mild, "7faa 01", Extent.Cut).outcome).toBe("truncated");
    expect(decode(mild, "7faa 0100", Extent.Cut).outcome).toBe("unknown");
    expect(decode(mild, "7faa 01").outcome).toBe("malformed");
    expect(decode(mild, "0105 0100").outcome).toBe("ok");
  });

  it("do not carry over to the next value", () => {
    expect(decode(array(type, 2), `${whole} ${whole}`).outcome).toBe("ok");
  });
});
