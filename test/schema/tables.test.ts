import { describe, expect, it } from "vitest";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { plainValue } from "../../src/schema/encode/value.js";
import { array, bytes, flag, group, struct, type Type, u8 } from "../../src/schema/index.js";
import { tableOf } from "../../src/schema/table/compile.js";
import * as copy from "../support/another-copy.js";
import { windowOn } from "./support/decoding.js";

const decoder = new Decoder();

function decoded(type: Type<unknown>, ...input: number[]): unknown {
  decoder.decode(type, windowOn(Uint8Array.from(input)), Extent.Exact);
  expect(decoder.nodes.outcome).toBe("ok");
  return plainValue(decoder.nodes, 0);
}

describe("the table of a struct", () => {
  it("is compiled once for the same use", () => {
    const head = struct("Head", { count: u8, flags: u8 });
    const one = struct("One", { head, items: array(u8, "head.count") });
    const other = struct("Other", { head, more: bytes("head.count") });
    const tables = [one, other].map(({ struct }) => tableOf(struct).entries[0]?.table);
    expect(tables[0]).toBe(tables[1]);
    expect(tables[0]).not.toBe(tableOf(head.struct));
    expect(tableOf(head.struct)).toBe(tableOf(head.struct));
  });

  it("does not change when a struct declared later uses other numbers of it", () => {
    const head = struct("Head", { count: u8, flags: u8 });
    const before = struct("Before", { head, items: array(u8, "head.count") });
    expect(decoded(head, 2, 1)).toEqual({ count: 2, flags: 1 });
    expect(decoded(before, 2, 1, 7, 8)).toEqual({ head: { count: 2, flags: 1 }, items: [7, 8] });
    const table = tableOf(head.struct);
    const after = struct("After", { head, extra: u8.when(flag("head.flags", 1)) });
    expect(decoded(after, 2, 1, 9)).toEqual({ head: { count: 2, flags: 1 }, extra: 9 });
    expect(decoded(after, 2, 0)).toEqual({ head: { count: 2, flags: 0 } });
    expect(decoded(before, 1, 0, 7)).toEqual({ head: { count: 1, flags: 0 }, items: [7] });
    expect(tableOf(head.struct)).toBe(table);
    expect(table.slotCount).toBe(0);
  });

  it("is the same for a group wherever that is, and looks at the struct that it is in", () => {
    const tail = group({ extra: u8.when(flag("flags", 2)) });
    const one = struct("One", { flags: u8, tail });
    const other = struct("Other", { size: u8, head: bytes("size"), flags: u8, tails: array(tail, 2) });
    expect(decoded(one, 2, 5)).toEqual({ flags: 2, tail: { extra: 5 } });
    expect(decoded(other, 1, 0, 2, 5, 6)).toMatchObject({ flags: 2, tails: [{ extra: 5 }, { extra: 6 }] });
    expect(decoded(one, 0)).toEqual({ flags: 0, tail: {} });
  });

  it("is made from a declaration of another copy of the language, too", () => {
    expect(copy.StructType).not.toBe(struct("S", {}).constructor);
    const head = copy.struct("Head", { count: copy.u8 });
    const own = copy.group({ extra: copy.u8.when(copy.equals("head.count", 1)) });
    const type = copy.struct("Copied", { head, own, items: copy.array(copy.u8, "head.count") });
    expect(decoded(type, 1, 5, 7)).toEqual({ head: { count: 1 }, own: { extra: 5 }, items: [7] });
  });
});
