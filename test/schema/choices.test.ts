import { describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { array, bool, choice, group, i8, rest, struct, type Type, text, u8, within } from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16, u32 } from "../../src/schema/words/little-endian.js";
import { decode, wholeValue } from "./support/decoding.js";

const choices = { 1: u8, 2: u16, 3: group({ a: u8, b: u8 }), 5: array(u8, 2) };

describe("a choice", () => {
  const type = struct("S", { kind: u8, value: choice("kind", choices), behind: u8 });

  it.each([
    ["01 07 09", 7],
    ["02 0700 09", 7],
    ["03 0102 09", { a: 1, b: 2 }],
    ["05 0102 09", [1, 2]],
  ])("has the type for its selector (%s)", (digits, value) => {
    expect(wholeValue(type, digits)).toMatchObject({ value, behind: 9 });
  });

  it("keeps its own name, whatever was chosen", () => {
    for (const digits of ["01 07 09", "02 0700 09", "03 0102 09", "05 0102 09"]) {
      const { nodes } = decode(type, digits);
      expect(nodes.child(0, "value")).toBe(2);
    }
  });

  it("ends decoding if its selector is undeclared", () => {
    for (const extent of [Extent.Exact, Extent.Cut, Extent.Open]) {
      expect(decode(type, "04 0102", extent)).toMatchObject({
        outcome: "unknown",
        value: { kind: 4, value: "0102" },
        notes: ["value: no type is declared for 4"],
      });
    }
  });

  it("may have a type for all other selectors", () => {
    const other = struct("S", { kind: u8, value: choice("kind", choices, u32), behind: u8 });
    expect(wholeValue(other, "04 01000000 09")).toEqual({ kind: 4, value: 1, behind: 9 });
    expect(wholeValue(other, "01 01 09")).toEqual({ kind: 1, value: 1, behind: 9 });
    expect(wholeValue(struct("S", { kind: u8, value: choice("kind", {}, u16) }), "04 0100")).toEqual({
      kind: 4,
      value: 1,
    });
  });

  it("may depend on some bits of its selector", () => {
    const masked = struct("S", { kind: u8, value: choice({ field: "kind", mask: 0x06 }, { 2: u8, 4: u16, 6: u32 }) });
    expect(wholeValue(masked, "fb 01")).toEqual({ kind: 0xfb, value: 1 });
    expect(wholeValue(masked, "05 0100")).toEqual({ kind: 5, value: 1 });
    expect(decode(masked, "f9 01").notes).toEqual(["value: no type is declared for 0"]);
  });

  it("may depend on bit 31", () => {
    for (const bit of [1 << 31, 0x80000000]) {
      const type = struct("S", { kind: u32, value: choice({ field: "kind", mask: bit }, { [bit]: u16, 0: u8 }) });
      expect(wholeValue(type, "01000080 0500")).toEqual({ kind: 0x80000001, value: 5 });
      expect(wholeValue(type, "01000000 05")).toEqual({ kind: 1, value: 5 });
    }
  });

  it("may depend on negative numbers and booleans", () => {
    const signed = struct("S", { kind: i8, value: choice("kind", { [-1]: u8, 127: u16 }) });
    expect(wholeValue(signed, "ff 05")).toEqual({ kind: -1, value: 5 });
    const yesOrNo = struct("S", { kind: bool, value: choice("kind", { 0: u8, 1: u16 }) });
    expect(wholeValue(yesOrNo, "00 05")).toEqual({ kind: false, value: 5 });
    expect(wholeValue(yesOrNo, "01 0500")).toEqual({ kind: true, value: 5 });
  });

  it("may depend on a field of an earlier struct", () => {
    const nested = struct("S", { head: group({ kind: u8 }), value: choice("head.kind", choices) });
    expect(wholeValue(nested, "02 0700")).toEqual({ head: { kind: 2 }, value: 7 });
  });

  it("may contain choices, counted fields and regions", () => {
    const type = struct("S", {
      a: u8,
      b: u8,
      value: choice("a", {
        1: choice("b", { 1: u8, 2: u16 }, text("b")),
        2: array(u16, "b"),
        3: within("b", group({ c: u8 })),
      }),
      behind: u8,
    });
    expect(wholeValue(type, "01 02 0500 09")).toMatchObject({ value: 5 });
    expect(wholeValue(type, "01 03 486921 09")).toMatchObject({ value: "Hi!" });
    expect(wholeValue(type, "02 02 0100 0200 09")).toMatchObject({ value: [1, 2] });
    expect(wholeValue(type, "03 01 05 09")).toMatchObject({ value: { c: 5 }, behind: 9 });
    expect(wholeValue(type, "03 00 09")).toEqual({ a: 3, b: 0, behind: 9 });
    expect(decode(type, "03 02 05aa 09")).toMatchObject({ value: { value: { c: 5, undissected: "aa" }, behind: 9 } });
    expect(decode(type, "02 03 0100 09").notes).toEqual([
      "value[0]: value needs 6 bytes (b says so) at offset 2; 3 are left",
    ]);
  });

  it("may be in an array", () => {
    const type = struct("S", { kind: u8, list: array(choice("kind", choices), 2) });
    expect(wholeValue(type, "02 0100 0200")).toEqual({ kind: 2, list: [1, 2] });
    expect(decode(type, "04 0100 0200")).toMatchObject({ outcome: "unknown", value: { list: ["01000200"] } });
    const rests = struct("S", { kind: u8, list: array(choice("kind", choices), rest) });
    expect(wholeValue(rests, "03 01020304")).toEqual({
      kind: 3,
      list: [
        { a: 1, b: 2 },
        { a: 3, b: 4 },
      ],
    });
  });

  it("with an absent selector depends on 0", () => {
    const type = struct("S", { has: u8, value: choice("has", { 0: u8 }, u16) });
    expect(wholeValue(type, "00 05")).toEqual({ has: 0, value: 5 });
  });

  it("whose value does not fit violates the format", () => {
    expect(decode(type, "02 07")).toMatchObject({
      outcome: "malformed",
      notes: ["undissected: value needs 2 bytes at offset 1; 1 is left"],
    });
  });
});

describe("the encoder", () => {
  const type = struct("S", { kind: u8, value: choice("kind", choices) });

  it("writes what the selector requires", () => {
    const untyped: Type<unknown> = type;
    expect(hex(encode(untyped, { kind: 2, value: 7 }))).toBe("020700");
    expect(hex(encode(untyped, { kind: 3, value: { a: 1, b: 2 } }))).toBe("030102");
    expect(hex(encode(untyped, { kind: 4, value: Buffer.from("aabb", "hex") }))).toBe("04aabb");
    expect(() => encode(untyped, { kind: 4, value: 5 })).toThrow("value: needs bytes");
    expect(() => encode(untyped, { kind: 2, value: { a: 1 } })).toThrow("value: needs a number");
  });
});
