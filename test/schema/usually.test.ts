import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { Extent } from "../../src/schema/decode/window.js";
import { array, group, polymorphic, rest, struct, u8, undeclared, usually, within } from "../../src/schema/index.js";
import { u16, u32 } from "../../src/schema/words/little-endian.js";
import { decode, needed, wholeValue } from "./support/decoding.js";
import { animals } from "./support/families.js";

const content = group({ count: u8, list: array(u16, "count") });
const type = struct("S", { size: u8, data: usually("size", content), behind: u8 });

describe("data that usually has a type", () => {
  it("is decoded as that type", () => {
    expect(wholeValue(type, "05 02 0100 0200 09")).toEqual({ size: 5, data: { count: 2, list: [1, 2] }, behind: 9 });
    expect(wholeValue(type, "00 09")).toEqual({ size: 0, behind: 9 });
  });

  it.each([
    ["too short", "04 02 010002 09", "02010002", "list needs 4 bytes (count says so) at offset 2; 3 are left"],
    ["too long", "04 01 0100 aa 09", "010100aa", "1 byte left over after the last field"],
  ])("remains bytes if it is %s, without an error", (_, digits, data, why) => {
    const { outcome, value, notes, nodes } = decode(type, digits);
    expect(outcome).toBe("ok");
    expect(value).toEqual({ size: 4, data, behind: 9 });
    expect(notes).toEqual([expect.stringContaining(`data: does not have its usual form: ${why}`)]);
    expect(nodes.notes.map(({ severity }) => severity)).toEqual(["note"]);
  });

  it("remains bytes if its class is unknown or misplaced", () => {
    const either = struct("S", { size: u8, data: usually("size", polymorphic(animals)), behind: u8 });
    expect(wholeValue(either, "02 01 05 09")).toMatchObject({ data: { class: "Dog", age: 5 } });
    expect(decode(either, "02 07 05 09")).toMatchObject({
      outcome: "ok",
      value: { data: "0705", behind: 9 },
      notes: ["data: does not have its usual form: kind 7 (0x0007) is not a declared class of animals"],
    });
  });

  it("may contain undeclared bytes", () => {
    const partly = struct("S", { size: u8, data: usually("size", group({ a: u8, b: undeclared("It is a secret.") })) });
    expect(decode(partly, "03 01 aabb")).toMatchObject({
      outcome: "unknown",
      value: { data: { a: 1, b: "aabb" } },
      notes: ["data.b: It is a secret."],
    });
  });

  it("may contain something that does not have its usual type", () => {
    const outer = struct("O", { size: u8, data: usually("size", type), behind: u8 });
    expect(decode(outer, "04 02 02aa 07 09")).toMatchObject({
      outcome: "ok",
      value: { data: { size: 2, data: "02aa", behind: 7 }, behind: 9 },
    });
    expect(decode(outer, "03 02 02aa 09")).toMatchObject({ outcome: "ok", value: { data: "0202aa", behind: 9 } });
  });

  it("keeps the outcome of errors elsewhere", () => {
    const twice = struct("S", {
      first: u8,
      unknown: usually("first", content),
      animal: polymorphic(animals),
    });
    expect(decode(twice, "01 05 07 aa")).toMatchObject({
      outcome: "unknown",
      value: { unknown: "05", animal: { kind: 7, undissected: "aa" } },
    });
  });

  it("forgets its counts if it did not have the usual type", () => {
    const deep = struct("S", { size: u8, data: usually("size", group({ a: group({ b: u16, c: u16 }) })), behind: u8 });
    const many = array(deep, 100);
    const limits = { ...defaultLimits, depth: 4, nodes: 1_000_000, inflated: 0 };
    expect(decode(many, "01aa09".repeat(100), Extent.Exact, limits).outcome).toBe("ok");
  });

  it("introduces nothing if it did not have the usual type", () => {
    const named = struct("N", { id: u8, text: u8 }, { introduces: { kind: "player", id: "id", name: "text" } });
    const maybe = struct("S", { size: u8, who: usually("size", group({ named, more: u16 })), sure: named });
    for (const [digits, introduced] of [
      ["02 0102 0304", ["sure"]],
      ["04 01020000 0304", ["who.named", "sure"]],
    ] as const) {
      const { nodes } = decode(maybe, digits);
      expect(nodes.nameBindings.map((node) => nodes.path(node))).toEqual(introduced);
    }
  });

  it("that was not captured completely is shown as far as it was captured", () => {
    expect(decode(type, "05 02 0100 02", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { size: 5, data: { count: 2, list: [1, "02"] } },
      notes: ["data.list[1]: an element needs 2 bytes at offset 4; the capture holds 1"],
    });
  });

  it("that was not captured completely may still not have the usual type", () => {
    expect(decode(type, "06 01 0100 aa", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { size: 6, data: "010100aa" },
      notes: [
        "data: does not have its usual form: 1 byte left over after the last field",
        "data: data needs 6 bytes (size says so) at offset 1; the capture holds 4",
      ],
    });
  });

  it("that is cut is cut as a whole if it does not have the usual type", () => {
    const faulty = group({ n: u8, number: within("n", u16), more: u32 });
    const cut = struct("S", { size: u8, data: usually("size", faulty) });
    expect(decode(cut, "09 01 aa bb", Extent.Cut)).toMatchObject({
      outcome: "truncated",
      value: { size: 9, data: "01aabb" },
      notes: [
        expect.stringMatching(/^data: does not have its usual form: number needs 2 bytes/),
        "data: data needs 9 bytes (size says so) at offset 1; the capture holds 3",
      ],
    });
  });

  it("may be all remaining bytes", () => {
    const open = struct("S", { a: u8, data: usually(rest, content) });
    expect(wholeValue(open, "07 01 0100")).toEqual({ a: 7, data: { count: 1, list: [1] } });
    expect(decode(open, "07 02 0100")).toMatchObject({ outcome: "ok", value: { a: 7, data: "020100" } });
  });

  it("waits for missing bytes", () => {
    expect(needed(type, "05 02")).toBe(6);
  });
});
