import { describe, expect, it } from "vitest";
import { fieldFacts } from "../../src/schema/describe/field-list.js";
import { array, bits, group, i8, type Names, rest, struct, type Type, text, u8 } from "../../src/schema/index.js";
import { u16 } from "../../src/schema/words/big-endian.js";
import { f32, u32, u64 } from "../../src/schema/words/little-endian.js";
import { pascalText, varint } from "./support/codecs.js";
import { jsonOf } from "./support/decoding.js";

const Level = { Once: 0, Again: 1 };

const Packet = struct(
  "Packet",
  { first: u8, rest: text(rest) },
  {
    derived: [
      bits("kind", { field: "first", mask: 0xf0, doc: "What it is." }),
      bits("level", { field: "first", mask: 0x06, names: Level }),
    ],
  },
);

describe("some bits of a number", () => {
  it("are a derived value, with a name if there is one", () => {
    expect(jsonOf(Packet, "32 61")).toEqual({ first: 0x32, rest: "a", kind: 3, level: "Again" });
    expect(jsonOf(Packet, "ff")).toEqual({ first: 0xff, kind: 15, level: 3 });
  });

  it("can be the highest ones, and the lowest 32 of 64", () => {
    const derived = [
      bits("high", { field: "a", mask: 0x80000000 }),
      bits("all", { field: "a", mask: -1 }),
      bits("low", { field: "b", mask: 0xffff }),
    ];
    const type = struct("S", { a: u32, b: u64 }, { derived });
    expect(jsonOf(type, "01000080 ffff000000000080")).toMatchObject({ high: 1, all: 0x80000001, low: 0xffff });
  });

  it("are absent if the number is", () => {
    expect(jsonOf(Packet, "")).not.toHaveProperty("kind");
    const optional = struct("S", { a: u16 }, { derived: [bits("low", { field: "a", mask: 1 })] });
    expect(jsonOf(optional, "01")).toEqual({ undissected: "01" });
  });

  it("have a schema, and their names in the list of fields", () => {
    expect(Packet.struct.derived.map(({ schema }) => schema)).toEqual([
      { type: "integer", minimum: 0, maximum: 15 },
      { anyOf: [{ enum: ["Once", "Again"] }, { type: "integer", minimum: 0, maximum: 3 }] },
    ]);
    expect([...fieldFacts(Packet.struct)].slice(2)).toEqual([
      { path: "kind", kind: "derived", meaning: "", doc: "What it is." },
      {
        path: "level",
        kind: "derived",
        meaning: "0 = Once, 1 = Again",
        names: [
          { number: "0", name: "Once" },
          { number: "1", name: "Again" },
        ],
        doc: "",
      },
    ]);
  });

  it("must belong to an existing field, which is a whole number", () => {
    const made = (first: Type<unknown>, field?: string) =>
      struct("S", { first }, { derived: [bits("kind", { field: field as string, mask: 0xf0 })] });
    expect(() => made(u8, "frist")).toThrow("S: kind consists of bits of frist, which is not a field");
    expect(() => made(u8)).toThrow("S: kind consists of bits of undefined, which is not a field");
    for (const type of [text(2), f32, array(u8, 2), group({ a: u8 }), pascalText]) {
      expect(() => made(type, "first")).toThrow("S: first is not a whole number");
    }
    expect(jsonOf(made(varint, "first"), "b002")).toEqual({ first: 304, kind: 3 });
  });

  it("have the first of several names for one number, and names only for possible numbers", () => {
    const named = (names: Names) => bits("level", { field: "first", mask: 0x06, names });
    const type = struct("S", { first: u8 }, { derived: [named({ Again: 1, Repeated: 1 })] });
    expect(jsonOf(type, "02")).toEqual({ first: 2, level: "Again" });
    for (const value of [4, -1]) {
      expect(() => named({ Again: value })).toThrow(`Again names ${value}, but level is 0 to 3`);
    }
    expect(() => named({ Again: 0.5 })).toThrow("Again names 0.5, which is not a whole number");
  });

  it("must be bits that the field has", () => {
    const made = (first: Type<unknown>, mask: number) =>
      struct("S", { first }, { derived: [bits("kind", { field: "first", mask })] });
    for (const mask of [0x100, 0x180]) {
      expect(() => made(u8, mask)).toThrow("S: kind consists of bits of first that u8 does not have");
    }
    expect(() => made(u8, 0x80)).not.toThrow();
    expect(() => made(i8, 0x100)).not.toThrow();
    expect(() => made(varint, 0x100)).not.toThrow();
    expect(() => made(u64, -1)).not.toThrow();
  });

  it.each([
    [0, "kind uses none of the bits: its mask is 0"],
    [2 ** 32, "only the lowest 32 can be used"],
    [0x05, "kind uses the bits of 5, which are not adjacent"],
  ])("must be contiguous, among the lowest 32: %d", (mask, message) => {
    expect(() => bits("kind", { field: "first", mask })).toThrow(message);
  });
});
