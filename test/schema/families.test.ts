import { describe, expect, it } from "vitest";
import { FieldSchemas } from "../../src/output/json-schema/field-schemas.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import {
  array,
  coded,
  derive,
  enumeration,
  Family,
  flags,
  group,
  i8,
  polymorphic,
  rest,
  struct,
  u8,
  within,
} from "../../src/schema/index.js";
import { Field } from "../../src/schema/language/field.js";
import { classOf, labelOf } from "../../src/schema/tree/label.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { i32, u16, u64 } from "../../src/schema/words/little-endian.js";
import { checkClass, leavesWrittenOtherwise } from "../support/check.js";
import { pascalText, shortVarint, u64Codec, varint } from "./support/codecs.js";
import { decode, jsonOf, needed, wholeValue, wire } from "./support/decoding.js";
import { animals, Cat, Dog } from "./support/families.js";

/** A number that is one decimal digit. */
const digitCodec = {
  isWholeNumber: true,
  measure: (_: DataView, start: number, limit: number) => (start < limit ? 1 : -1),
  read: (bytes: Uint8Array, at: number) => Number(String.fromCharCode(bytes[at] ?? 0)),
  write: (digit: number) => Buffer.from(`${digit}`),
};

const type = struct("S", { pet: polymorphic(animals), behind: u8 });

describe("a class identified by its tag", () => {
  it("has the fields of that class after the tag", () => {
    expect(wholeValue(type, "01 05 09")).toEqual({ pet: { class: "Dog", kind: 1, age: 5 }, behind: 9 });
    expect(wholeValue(type, "02 0500 09")).toEqual({ pet: { class: "Cat", kind: 2, lives: 5 }, behind: 9 });
    expect(jsonOf(type, "02 0500 09")).toEqual({ pet: { class: "Cat", kind: 2, lives: 5 }, behind: 9 });
  });

  it("may be null", () => {
    const { nodes } = decode(type, "00 09");
    expect(jsonOf(type, "00 09")).toEqual({ pet: null, behind: 9 });
    expect(plainValue(nodes, 0)).toEqual({ pet: null, behind: 9 });
    expect([labelOf(nodes, 1), classOf(nodes, 1), labelOf(nodes, 2)]).toEqual(["null", undefined, "null"]);
  });

  it("has its class as a label", () => {
    const { nodes } = decode(type, "02 0500 09");
    expect([labelOf(nodes, 1), classOf(nodes, 1), labelOf(nodes, 2)]).toEqual(["Cat", "Cat", "Cat"]);
  });

  it("may be unknown, with a name", () => {
    const { nodes, ...decoded } = decode(type, "03 aabb");
    expect(decoded).toMatchObject({
      outcome: "unknown",
      value: { pet: { kind: 3, undissected: "aabb" } },
      notes: ["pet: kind 3 (Horse) is not a declared class of animals"],
    });
    expect([labelOf(nodes, 1), classOf(nodes, 1), labelOf(nodes, 2)]).toEqual(["Horse", "Horse", "Horse"]);
  });

  it("may be unknown, without a name", () => {
    for (const extent of [Extent.Exact, Extent.Cut, Extent.Open]) {
      const { nodes, ...decoded } = decode(type, "7f aabb", extent);
      expect(decoded).toMatchObject({
        outcome: "unknown",
        value: { pet: { kind: 0x7f, undissected: "aabb" } },
        notes: ["pet: kind 127 (0x007f) is not a declared class of animals"],
      });
      expect([labelOf(nodes, 1), labelOf(nodes, 2)]).toEqual(["0x007f", undefined]);
    }
    expect(jsonOf(type, "7f aabb")).toEqual({ pet: { class: "0x007f", kind: 127, undissected: "aabb" } });
    expect(decode(type, "7f")).toMatchObject({ outcome: "unknown", value: { pet: { kind: 127 } } });
  });

  it.each([
    ["fe", "-2", { class: "-2", kind: -2 }],
    ["ff", "-1 (Nobody)", { class: "Nobody", kind: -1 }],
    ["05", "5 (0x0005)", { class: "0x0005", kind: 5 }],
  ])("may be unknown, and a signed number: %s is %s", (bytes, shown, json) => {
    const pet = polymorphic(new Family("ghosts", "kind", i8, { names: new Map([[-1, "Nobody"]]) }));
    expect(decode(pet, bytes).notes).toEqual([`: kind ${shown} is not a declared class of ghosts`]);
    expect(jsonOf(pet, bytes)).toEqual(json);
  });

  it("affects only its own region if it is unknown", () => {
    const boxed = struct("S", { size: u8, pet: within("size", polymorphic(animals)), behind: u8 });
    expect(decode(boxed, "03 7f aabb 09")).toMatchObject({
      outcome: "unknown",
      value: { pet: { kind: 127, undissected: "aabb" }, behind: 9 },
    });
  });

  it("ends an array if it is unknown", () => {
    const list = struct("S", { count: u8, pets: array(polymorphic(animals), "count"), behind: u8 });
    expect(wholeValue(list, "03 0105 00 020500 09")).toMatchObject({
      pets: [{ class: "Dog", age: 5 }, { kind: 0 }, { class: "Cat", lives: 5 }],
      behind: 9,
    });
    expect(decode(list, "03 0105 7f 020500 09")).toMatchObject({
      outcome: "unknown",
      value: { count: 3, pets: [{ class: "Dog" }, { kind: 127, undissected: "02050009" }] },
      notes: ["pets[1]: kind 127 (0x007f) is not a declared class of animals"],
    });
  });

  it("that does not fit violates the format", () => {
    expect(decode(type, "")).toMatchObject({
      outcome: "malformed",
      notes: [": pet needs 1 byte at offset 0; 0 are left"],
    });
    expect(decode(type, "02 05")).toMatchObject({
      outcome: "malformed",
      value: { pet: { class: "Cat", kind: 2, undissected: "05" } },
      notes: ["pet.undissected: lives needs 2 bytes at offset 1; 1 is left"],
    });
    expect([needed(type, ""), needed(type, "02"), needed(type, "02 05"), needed(type, "02 0500")]).toEqual([
      1, 3, 3, 4,
    ]);
  });
});

describe("a class that should be derived from another", () => {
  const Animal = struct("Animal", { age: u8 });
  const Bird = derive("Bird", Animal, { wings: u8 }, { tag: 1 });
  const Eagle = derive("Eagle", Bird, {}, { tag: 2 });
  const Stone = struct("Stone", { weight: u8 }, { tag: 3 });
  const family = new Family("things", "tag", u8, { nullTag: 0 });
  family.register(Bird, Eagle, Stone);
  const type = struct("S", { bird: polymorphic(family, Bird), behind: u8 });

  it("is fine if it is, or is that class itself, or null", () => {
    expect(wholeValue(type, "01 05 02 09")).toMatchObject({ bird: { class: "Bird" } });
    expect(wholeValue(type, "02 05 02 09")).toMatchObject({ bird: { class: "Eagle" } });
    expect(wholeValue(type, "00 09")).toMatchObject({ bird: { tag: 0 } });
  });

  it("causes a remark if it is not, and is still decoded", () => {
    const { outcome, value, notes, nodes } = decode(type, "03 05 09");
    expect(outcome).toBe("ok");
    expect(value).toMatchObject({ bird: { class: "Stone", weight: 5 }, behind: 9 });
    expect(notes).toEqual(["bird: found Stone where a Bird should be"]);
    expect(nodes.notes[0]?.severity).toBe("warning");
  });
});

describe("a family", () => {
  it("knows its classes by tag and by name", () => {
    expect(animals.get(1)).toBe(Dog.struct);
    expect(animals.named("Cat")).toBe(Cat.struct);
    expect(animals.named("Horse")).toBeUndefined();
    expect([animals.nameOf(2), animals.nameOf(3), animals.nameOf(4)]).toEqual(["Cat", "Horse", undefined]);
    expect([...animals.classes()]).toEqual([Dog.struct, Cat.struct]);
  });

  it("may have tags with a meaning, and more than one byte wide", () => {
    const Event = { kFirst: 1, kSecond: -2 };
    const events = new Family("events", "type", enumeration(i32, Event));
    events.register(struct("First", { a: u8 }, { tag: 1 }), struct("Second", { b: u16 }, { tag: -2 }));
    const type = array(polymorphic(events), 2);
    expect(jsonOf(type, "01000000 05 feffffff 0600")).toEqual([
      { class: "First", type: "kFirst", a: 5 },
      { class: "Second", type: "kSecond", b: 6 },
    ]);
  });
});

describe("a tag of variable length", () => {
  const family = new Family("properties", "id", shortVarint, { nullTag: 0, names: new Map([[7, "Known"]]) });
  const Expiry = struct("Expiry", { seconds: u8 }, { tag: 1 });
  const Alias = struct("Alias", { alias: u16 }, { tag: 300 });
  const List = struct("List", { count: u8, items: array(polymorphic(family), "count") }, { tag: 2 });
  family.register(Expiry, Alias, List);
  const type = struct("S", { property: polymorphic(family), behind: u8 });

  it("tells the classes apart", () => {
    expect(wholeValue(type, "01 05 09")).toEqual({ property: { class: "Expiry", id: 1, seconds: 5 }, behind: 9 });
    expect(wholeValue(type, "ac02 0500 09")).toEqual({ property: { class: "Alias", id: 300, alias: 5 }, behind: 9 });
    expect(jsonOf(type, "ac02 0500 09")).toEqual({ property: { class: "Alias", id: 300, alias: 5 }, behind: 9 });
    expect(jsonOf(type, "00 09")).toEqual({ property: null, behind: 9 });
    const { nodes } = decode(type, "ac02 0500 09");
    expect([labelOf(nodes, 1), classOf(nodes, 1), labelOf(nodes, 2)]).toEqual(["Alias", "Alias", "Alias"]);
    expect([nodes.startOf(2), nodes.endOf(2), nodes.number(2)]).toEqual([0, 2, 300]);
  });

  it("may be in the values themselves, and in all directions", () => {
    checkClass(type, wire("02 03 ac02 0500 00 0105 09"));
    checkClass(struct("S", { all: array(polymorphic(family), rest) }), wire("ac02 0500 00 02 01 0105 ac02 0700"));
  });

  it("may be unknown", () => {
    expect(decode(type, "07 aabb")).toMatchObject({
      outcome: "unknown",
      value: { property: { id: 7, undissected: "aabb" } },
      notes: ["property: id 7 (Known) is not a declared class of properties"],
    });
    expect(jsonOf(type, "ff7f aa")).toEqual({ property: { class: "0x3fff", id: 0x3fff, undissected: "aa" } });
  });

  it("is awaited, and malformed or cut off if bytes are missing", () => {
    expect(["", "ac", "ac02", "ac02 05", "ac02 0500", "ac02 0500 09"].map((bytes) => needed(type, bytes))).toEqual([
      1, 2, 4, 4, 5, 0,
    ]);
    expect(decode(type, "ac")).toMatchObject({
      outcome: "malformed",
      value: { undissected: "ac" },
      notes: ["undissected: property needs 2 bytes at offset 0; 1 is left"],
    });
    expect(decode(type, "ac", Extent.Cut)).toMatchObject({ outcome: "truncated", value: { undissected: "ac" } });
    const counted = struct("S", { count: u8, list: array(polymorphic(family), "count") });
    expect(decode(counted, "04 000000")).toMatchObject({
      outcome: "malformed",
      notes: ["list[0]: list needs 4 bytes (count says so) at offset 1; 3 are left"],
    });
  });

  it("keeps its bytes if the usual writer would produce different ones", () => {
    for (const bytes of ["8100 05 09", "8000 09", "8700 aabb"]) {
      const { nodes } = decode(type, bytes);
      expect(leavesWrittenOtherwise(nodes)).toEqual(["property.id"]);
    }
    expect(jsonOf(type, "8000 09")).toEqual({ property: null, behind: 9 });
    const unnamed = new Family("unnamed", "id", varint);
    unnamed.register(group({ a: u8 }, { tag: 1 }));
    const value = { it: { id: new Exact(1, wire("8100")), a: 5 } };
    expect(plainValue(decode(struct("S", { it: polymorphic(unnamed) }), "8100 05").nodes, 0)).toEqual(value);
  });

  it("may have names of its own", () => {
    const named = new Family("named", "id", enumeration(varint, { kAlias: 300 }));
    named.register(struct("Alias", { alias: u8 }, { tag: 300 }));
    expect(jsonOf(polymorphic(named), "ac02 05")).toEqual({ class: "Alias", id: "kAlias", alias: 5 });
  });

  it("is written in encoding", () => {
    expect(hex(encode(type, { property: { class: "Alias", alias: 5 }, behind: 9 }))).toBe("ac02050009");
    expect(hex(encode(type, { property: null, behind: 9 }))).toBe("0009");
  });

  it("is not followed by anything that is known if it breaks the format", () => {
    for (const [bytes, undissected] of [["8180808000 05 09", "0509"], ["8180808000"]]) {
      const { value, ...decoded } = decode(type, bytes ?? "");
      expect(decoded).toMatchObject({ outcome: "malformed", notes: ["property.id: id is longer than four bytes"] });
      expect(value).toEqual({ property: { class: "Expiry", id: 1, ...(undissected && { undissected }) } });
    }
  });

  it("is malformed if it is not a whole number", () => {
    const digits = new Family("digits", "id", coded("digit", digitCodec));
    digits.register(struct("One", { a: u8 }, { tag: 1 }));
    expect(jsonOf(polymorphic(digits), "31 05")).toEqual({ class: "One", id: 1, a: 5 });
    expect(decode(polymorphic(digits), "78 05")).toMatchObject({
      outcome: "malformed",
      value: { id: Number.NaN, undissected: "05" },
      notes: ["id: id is NaN, which is not a whole number"],
    });
    expect(jsonOf(polymorphic(digits), "78 05")).toEqual({ class: "NaN", id: "NaN", undissected: "05" });
  });

  it("is not mistaken for another one because it is large", () => {
    const large = new Family("large", "id", coded("u64", u64Codec) as never);
    large.register(struct("One", { a: u8 }, { tag: 1 }));
    expect(jsonOf(polymorphic(large), "0000000000000001 05")).toEqual({ class: "One", id: "1", a: 5 });
    expect(decode(polymorphic(large), "0000000100000001 05").outcome).toBe("unknown");
  });

  it("is in the JSON Schema", () => {
    const schemas = new FieldSchemas(2);
    schemas.value(new Field("property", polymorphic(family).descriptor));
    expect(schemas.$defs).toMatchObject({
      "properties.Alias": { properties: { class: { const: "Alias" }, id: { const: 300 } }, required: ["class", "id"] },
    });
  });

  it("must be a whole number", () => {
    for (const tag of [pascalText, u64, flags(u64, {})]) {
      expect(() => new Family("wrong", "id", tag as never)).toThrow("the tag of wrong is not a whole number");
    }
  });
});

describe("the encoder", () => {
  it("writes the tag of a class", () => {
    expect(hex(encode(type, { pet: { class: "Dog", age: 5 }, behind: 9 }))).toBe("010509");
    expect(hex(encode(type, { pet: null, behind: 9 }))).toBe("0009");
    expect(hex(encode(type, { pet: { class: "?", kind: 127, undissected: Buffer.from([1]) }, behind: 9 }))).toBe(
      "7f0109",
    );
  });

  it("rejects unknown classes, and null if the family has none", () => {
    expect(() => encode(type, { pet: { class: "Horse" }, behind: 9 })).toThrow("Horse is not a class of animals");
    expect(() => encode(type, { pet: { class: "Dog" }, behind: 9 })).toThrow("pet.age: is missing");
    expect(() => encode<unknown>(type, { behind: 9 })).toThrow("pet: is missing");
    const never = new Family("never null", "tag", u8);
    expect(() => encode(struct("S", { it: polymorphic(never) }), { it: null })).toThrow(
      "it: cannot be null: never null has no tag for it",
    );
  });
});
