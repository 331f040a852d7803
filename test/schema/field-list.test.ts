import { describe, expect, it } from "vitest";
import { fieldFacts } from "../../src/schema/describe/field-list.js";
import {
  array,
  atLeast,
  below,
  bool,
  bytes,
  choice,
  enumeration,
  equals,
  flag,
  flags,
  group,
  isFalse,
  isTrue,
  masked,
  notEquals,
  rest,
  type StructType,
  struct,
  text,
  tuple,
  u8,
  within,
} from "../../src/schema/index.js";
import { u16, u32 } from "../../src/schema/words/little-endian.js";

function factsOf({ struct: declared }: StructType<unknown>) {
  return [...fieldFacts(declared)];
}

describe("the list of fields", () => {
  it("gives the properties of an array, whether declared on the array or on its elements", () => {
    const Friends = struct("Friends", {
      asElements: array(u32.sensitive({ name: "seat", doc: "seats at the table" }), 2),
      asArray: array(u32, 2).sensitive("token"),
      harmless: array(u32, rest),
    });
    expect(factsOf(Friends).map(({ path, sensitive }) => [path, sensitive])).toEqual([
      ["asElements", ["seat"]],
      ["asArray", ["token"]],
      ["harmless", undefined],
    ]);
  });

  it("says when a field is present, by the names of bits and values", () => {
    const Kind = { kPlain: 0, kBig: 7 };
    const Optional = struct("Optional", {
      contents: flags(u32, { kHasName: 1, kHasAge: 2 }),
      kind: enumeration(u8, Kind),
      nonNull: bool,
      counts: array(u16, 2),
      byBit: u8.when(flag("contents", 1)),
      byBits: u8.when(flag("contents", 3)),
      byNamelessBit: u8.when(flag("kind", 4)),
      byName: u8.when(equals("kind", 7), isTrue("nonNull")),
      byOther: u8.when(notEquals("kind", 9), isFalse("nonNull")),
      byMask: u8.when(masked("kind", 0xf0, 0x30)),
      byFirst: u8.when(equals("counts", 3)),
      byOrder: u8.when(atLeast("kind", 7), below("counts", 0x100)),
      header: group({
        version: u8,
        newer: u8.when(equals("version", 2)),
        inner: group({ b: u8.when(flag("contents", 2)) }),
      }),
      headers: array(group({ version: u8, kind: u8, newer: u8.when(equals("kind", 7), isTrue("nonNull")) }), 2),
      byHeader: u8.when(equals("header.version", 2)),
    });
    const when = Object.fromEntries(factsOf(Optional).map((fact) => [fact.path, fact.when]));
    expect(when).toMatchObject({
      contents: undefined,
      byBit: "contents & kHasName",
      byBits: "contents & (kHasName | kHasAge)",
      byNamelessBit: "kind & 0x4",
      byName: "kind == kBig && nonNull",
      byOther: "kind != 9 && !nonNull",
      byMask: "(kind & 0xf0) == 0x30",
      byFirst: "counts[0] == 3",
      byOrder: "kind >= kBig && counts[0] < 256",
      "header.newer": "version == 2",
      "header.inner.b": "contents & kHasAge",
      // Not the kind around it, in which 7 has a name.
      "headers.newer": "kind == 7 && nonNull",
      byHeader: "header.version == 2",
    });
  });

  it("says how long a field is, and for which values a choice is made", () => {
    const Lengths = struct("Lengths", {
      count: u16,
      fixedCount: u8,
      fixed: bytes(20),
      counted: bytes("count"),
      half: text({ field: "count", mask: 0xfff, times: 2, plus: -1 }),
      more: bytes({ field: "count", plus: 3 }),
      list: array(u32, "count"),
      region: within("count", group({ inner: u8 })),
      countedRegion: within("fixedCount", array(u16, "count")),
      filledRegion: within("fixedCount", array(u16, rest)),
      pair: tuple([u8, array(group({ one: u16 }), 2)]),
      either: choice("count", { 1: u8, 2: group({ two: u8 }), 3: u8 }, bytes(rest)),
    });
    const facts = factsOf(Lengths).map(({ path, kind, when, bytes: size, count }) => [path, kind, when, size, count]);
    expect(facts).toEqual([
      ["count", "u16le", undefined, 2, undefined],
      ["fixedCount", "u8", undefined, 1, undefined],
      ["fixed", "bytes", undefined, 20, undefined],
      ["counted", "bytes", undefined, "count", undefined],
      ["half", "text", undefined, "(count & 0xfff) * 2 - 1", undefined],
      ["more", "bytes", undefined, "count + 3", undefined],
      ["list", "array of u32le", undefined, undefined, "count"],
      ["region", "struct", undefined, "count", undefined],
      ["region.inner", "u8", undefined, 1, undefined],
      ["countedRegion", "array of u16le", undefined, "fixedCount", "count"],
      ["filledRegion", "array of u16le", undefined, "fixedCount", "rest"],
      ["pair", "array", undefined, undefined, 2],
      ["pair.one", "u16le", undefined, 2, undefined],
      ["either", "choice", undefined, undefined, undefined],
      ["either", "u8", "count == 1 || count == 3", 1, undefined],
      ["either", "struct", "count == 2", undefined, undefined],
      ["either.two", "u8", undefined, 1, undefined],
      ["either", "bytes", "otherwise", "rest", undefined],
    ]);
  });
});
