import { describe, expect, it } from "vitest";
import {
  array,
  atLeast,
  below,
  bits,
  bool,
  bytes,
  type Codec,
  choice,
  coded,
  derive,
  enumeration,
  equals,
  Family,
  flag,
  flags,
  group,
  i8,
  isTrue,
  type Members,
  masked,
  notEquals,
  optionalBy,
  prefixed,
  reference,
  remarked,
  resolved,
  rest,
  struct,
  type Type,
  terminated,
  text,
  tuple,
  u8,
  undeclared,
  utf16,
  uuid,
  within,
} from "../../src/schema/index.js";
import { bool32, f32, f64, i16, i32, i64, u16, u32, u64 } from "../../src/schema/words/little-endian.js";
import { pascalText, varint } from "./support/codecs.js";
import { decode, wire } from "./support/decoding.js";

/** The error from loading such a declaration. */
function complaint(members: Members): string {
  try {
    struct("S", members);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}

const zlib = { when: equals("a", 1), literal: 0, inflatedLength: "b" };

describe("a declaration with a mistake in it", () => {
  it.each([
    ["a condition", { a: u8, b: u8.when(flag("c", 1)) }, "S: c is not an earlier field"],
    ["a condition on a later field", { a: u8.when(flag("b", 1)), b: u8 }, "S: b is not an earlier field"],
    ["a condition on itself", { a: u8.when(flag("a", 1)) }, "S: a is not an earlier field"],
    ["a length", { a: bytes("n") }, "S: n is not an earlier field"],
    ["a field after the rest", { a: u8, b: text(rest), c: u8 }, "S: c follows b, which takes all remaining bytes"],
    ["a computed length", { a: text({ field: "n", times: 2 }) }, "S: n is not an earlier field"],
    ["a count", { a: array(u8, "n") }, "S: n is not an earlier field"],
    ["the count of an array in an array", { a: array(array(u8, "n"), 2) }, "S: n is not an earlier field"],
    ["a count in a tuple", { a: tuple([array(u8, "n")]) }, "S: n is not an earlier field"],
    ["the length of a region", { a: within("n", u8) }, "S: n is not an earlier field"],
    ["the content of a region", { n: u8, a: within("n", bytes("m")) }, "S: m is not an earlier field"],
    ["the selector of a choice", { a: choice("kind", { 1: u8 }) }, "S: kind is not an earlier field"],
    ["one option of a choice", { k: u8, a: choice("k", { 1: bytes("n") }) }, "S: n is not an earlier field"],
    ["the default of a choice", { k: u8, a: choice("k", {}, bytes("n")) }, "S: n is not an earlier field"],
    ["the condition of compression", { b: u8, c: within("b", group({}), zlib) }, "S: a is not an earlier field"],
    ["the inflated length", { a: u8, c: within("a", group({}), zlib) }, "S: b is not an earlier field"],
    ["a field of a struct", { a: group({ b: u8 }), c: bytes("a.c") }, "c is not an earlier field"],
    ["a field of a field of a struct", { a: group({ b: group({}) }), c: bytes("a.b.c") }, "c is not an earlier field"],
  ])("names an unknown field: %s", (_, members, message) => {
    expect(complaint(members)).toContain(message);
  });

  it.each([
    ["bytes", bytes(4)],
    ["counted bytes", bytes("n")],
    ["text", text(4)],
    ["a UUID", uuid],
    ["a text with a codec", pascalText],
    ["a floating-point number", f32],
    ["a struct", group({ x: u8 })],
    ["an array of texts", array(pascalText, 2)],
    ["an array of structs", array(group({ x: u8 }), 2)],
    ["a choice", choice("n", { 1: u8 })],
    ["a region", within("n", u16)],
    ["a tuple", tuple([u8])],
  ] as const)("expects a number in %s", (_, type) => {
    for (const user of [
      u8.when(isTrue("a")),
      bytes("a"),
      choice("a", { 1: u8 }),
      choice({ field: "a", mask: 1 }, { 1: u8 }),
      array(u8, { field: "a", times: 2 }),
    ]) {
      expect(complaint({ n: u8, a: type, b: user })).toMatch(/^S: a (is a struct|is not a whole number)/);
    }
    expect(complaint({ head: group({ n: u8, a: type }), b: bytes("head.a") })).toContain("a is");
  });

  it("gives names to something that is not a type, or not a number", () => {
    for (const given of [enumeration, flags, reference, remarked] as readonly unknown[]) {
      const declare = given as (type: unknown, ...more: readonly unknown[]) => unknown;
      expect(() => declare("u8", {})).toThrow("what is given names or a meaning is not a type");
      expect(() => declare(undefined, {})).toThrow("is undefined: is it declared further down");
    }
    expect(() => enumeration(u8, ["Calm"] as never)).toThrow("0 names Calm, which is not a whole number");
    expect(() => enumeration(u8, { Half: 0.5 })).toThrow("Half names 0.5");
  });

  it.each([true, "n", () => true, undefined] as readonly unknown[] as readonly never[])(
    "has the condition %s",
    (condition) => {
      const [text, zlib] = [
        "S: a condition of a is not made by equals(), flag() or the like",
        { when: condition, literal: 0, inflatedLength: "n" },
      ];
      expect(complaint({ n: u8, a: u8.when(condition) })).toBe(text);
      expect(complaint({ n: u8, a: within(rest, group({}), zlib) })).toBe(text);
    },
  );

  it("depends on something that is not the name of a field", () => {
    const text = "S: a depends on a field whose name is not given";
    expect(complaint({ n: u8, a: choice(((n: number) => n) as never, { 1: u8 }) })).toBe(text);
    expect(complaint({ n: u8, a: u8.when(equals(5 as never, 1)) })).toBe(text);
  });

  it("makes what is private depend on something that is not a field", () => {
    const sensitive = { by: "kind", kinds: new Map(), otherwise: "text" } as const;
    const text = "S: what is private in a depends on kind, which is not a field";
    expect(complaint({ a: u8.sensitive(sensitive) })).toBe(text);
    expect(complaint({ a: u8.sensitive(sensitive), kind: u8 })).toBe("");
  });

  it.each(["", 5, undefined, null] as readonly unknown[] as readonly never[])("declares a struct named %s", (name) => {
    const text = `the name of a struct is ${JSON.stringify(name)}; fields without a name are a group()`;
    expect(() => struct(name, {})).toThrow(text);
    expect(() => derive(name, group({}), {})).toThrow(text);
  });

  it("gives a class a tag that no number is equal to", () => {
    const family = new Family("F", "tag", u8);
    expect(() => family.register(struct("A", {}, { tag: "1" as never }))).toThrow(
      'A has the tag "1", not a whole number',
    );
    expect(() => family.register(struct("A", {}, { tag: 0.5 }))).toThrow("A has the tag 0.5");
  });

  it.each([
    [u8, -1, 256],
    [i8, -129, 128],
    [u16, -1, 0x1_0000],
    [i32, -0x8000_0001, 0x8000_0000],
    [u32, -1, 0x1_0000_0000],
  ])("gives a class, null or a value a number that does not fit", (type, least, greatest) => {
    const { kind } = type.descriptor;
    for (const tag of [least, greatest]) {
      const family = new Family("F", "tag", type);
      const declare = () => family.register(struct("A", {}, { tag }));
      expect(declare).toThrow(`A has the tag ${tag}, which ${kind} cannot hold`);
      const nulls = () => new Family("F", "tag", type, { nullTag: tag });
      expect(nulls).toThrow(`F calls ${tag} null, a tag that ${kind} cannot hold`);
      const names = () => new Family("F", "tag", type, { names: new Map([[tag, "Horse"]]) });
      expect(names).toThrow(`F calls ${tag} Horse, a tag that ${kind} cannot hold`);
      expect(() => enumeration(type, { Horse: tag })).toThrow(`Horse names ${tag}, which ${kind} cannot hold`);
    }
    const [first, last] = [least + 1, greatest - 1];
    const family = new Family("F", "tag", type, { names: new Map([[last, "A"]]) });
    family.register(struct("B", {}, { tag: first }), struct("A", {}, { tag: last }));
    expect(enumeration(type, { First: first, Last: last }).descriptor.kind).toBe(kind);
  });

  it("but what a number of variable length can hold is not known", () => {
    expect(enumeration(varint, { Large: 2 ** 40 }).descriptor.codec).toBeDefined();
    new Family("F", "tag", varint, { nullTag: 2 ** 40 }).register(struct("A", {}, { tag: -1 }));
  });

  it.each([
    ["nothing", undefined, "a: a resolver returned undefined, which is neither a type nor a sentence"],
    ["a number", 5, "a: a resolver returned 5"],
    ["a promise", Promise.resolve(u8), "a: a resolver returned [object Promise]"],
  ])("has a resolver that returns %s", (_, found, text) => {
    expect(() => decode(struct("S", { a: resolved(() => found as never) }), wire("00"))).toThrow(text);
  });

  it("has a resolver that asks for a field that does not exist", () => {
    const asking = (name: string) => struct("S", { n: u8, a: resolved((member) => `n is ${member(name)}`) });
    expect(() => decode(asking("m"), wire("07 00"))).toThrow("S: m is not an earlier field");
    expect(decode(asking("n"), wire("07 00")).notes).toEqual(["a: n is 7"]);
  });

  it("has a name that no path could contain", () => {
    expect(() => struct("A thing", {})).toThrow('"A thing" is not a valid class name');
    const derived = { name: "d.e", doc: "", schema: {}, of: () => 1 };
    expect(() => struct("S", {}, { derived: [derived] })).toThrow('S: "d.e" is not a valid name for a value');
  });

  it("has an unknown option", () => {
    expect(() => struct("S", {}, { introduce: {} } as never)).toThrow("S: introduce is not an option of a struct");
    const derived = { field: "a", mask: 1, name: { On: 1 } };
    expect(() => bits("low", derived as never)).toThrow("low: name is not an option of bits()");
    for (const declare of [bytes, text, (length: never) => array(u8, length), (length: never) => within(length, u8)]) {
      expect(() => declare({ field: "a", time: 4 } as never)).toThrow("time is not a part of a length");
    }
  });

  it.each(["mask", "times", "plus"])("computes a length with something that is not a number: %s", (part) => {
    for (const value of ["4", Number.NaN, null]) {
      expect(() => bytes({ field: "a", [part]: value } as never)).toThrow(`the ${part} of a length is ${value}`);
    }
    expect(complaint({ a: u8, b: bytes({ field: "a", [part]: undefined } as never) })).toBe("");
  });

  it("has a Map where an object is expected, which would seem to be empty", () => {
    const map = new Map([["On", 1]]);
    const text = "are an object such as { Name: 1 }, not a Map";
    expect(() => enumeration(u8, map as never)).toThrow(`names ${text}`);
    expect(() => flags(u8, map as never)).toThrow(`names ${text}`);
    expect(() => bits("low", { field: "a", mask: 1, names: map as never })).toThrow(`names ${text}`);
    expect(() => choice("a", new Map([[1, u8]]) as never)).toThrow(
      "choices are an object such as { 1: u8 }, not a Map",
    );
  });

  it("gives names to what is not a whole number", () => {
    for (const type of [
      text(4),
      f32,
      uuid,
      bytes(2),
      array(u8, 2),
      group({ a: u8 }),
    ] as readonly unknown[] as readonly never[]) {
      expect(() => enumeration(type, { On: 1 })).toThrow("which is not a whole number");
      expect(() => flags(type, { On: 1 })).toThrow("which is not a whole number");
    }
    for (const type of [u64, bool, bool32, varint] as readonly unknown[] as readonly never[]) {
      expect(() => enumeration(type, { On: 1 })).not.toThrow();
    }
  });

  it("has a tuple of something other than a list", () => {
    expect(() => tuple(u8 as never)).toThrow("a tuple is given an array of types");
    expect(() => tuple([u8, "u8" as never])).toThrow("the element 1 of a tuple is not a type");
  });

  it("has a codec without a name", () => {
    const codec = { measure: () => 1, read: () => 1, write: () => new Uint8Array(1) };
    expect(() => coded(codec as never, undefined as never)).toThrow(
      "a codec is given a name first: coded(kind, codec)",
    );
  });

  it.each(["measure", "read", "write"])("has a codec without %s", (member) => {
    const codec = { measure: () => 1, read: () => 1, write: () => new Uint8Array(1), [member]: undefined };
    expect(() => coded("odd", codec as never)).toThrow(`the codec of odd has no method ${member}()`);
  });

  it("refers to a field of something that is not a struct", () => {
    expect(complaint({ a: u8, b: bytes("a.c") })).toBe("S: a is not a struct, so a.c means nothing");
    expect(complaint({ a: array(group({ c: u8 }), 1), b: bytes("a.c") })).toContain("a is not a struct");
  });

  it("takes a length from a number whose low bits only can be read", () => {
    for (const user of [bytes("a"), array(u8, "a"), within("a", group({})), choice("a", {}), u8.when(equals("a", 1))]) {
      expect(complaint({ a: u64, b: user })).toBe("S: a has 64 bits, of which only flags can be used");
    }
    expect(complaint({ a: u64, b: u8.when(notEquals("a", 0)) })).toContain("64 bits");
    expect(complaint({ a: u64, b: u8.when(flag("a", 1)) })).toBe("");
  });

  it("tests none of the bits", () => {
    for (const declare of [() => flag("a", 0), () => masked("a", 0, 0)]) {
      expect(declare).toThrow("what depends on a uses none of the bits: its mask is 0");
    }
    expect(complaint({ a: u64, b: choice({ field: "a", mask: 0 }, { 0: u8 }) })).toContain("its mask is 0");
  });

  it.each([2 ** 32, 2 ** 40, 0.5, Number.NaN])("tests bits that conditions cannot read: %d", (mask) => {
    expect(() => flag("a", mask)).toThrow(`what depends on a uses the bits of ${mask}`);
    expect(() => masked("a", mask, 0)).toThrow("only the lowest 32 can be used");
    const text = `what depends on a uses the bits of ${mask}: only the lowest 32 can be used`;
    expect(complaint({ a: u64, b: choice({ field: "a", mask }, { 0: u8 }) })).toBe(text);
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "3", 3n, undefined] as readonly unknown[])(
    "compares a number with %s",
    (operand) => {
      const text = `a is compared with ${operand}, which is not a whole number of up to 53 bits`;
      for (const compare of [atLeast, below, equals, notEquals]) {
        expect(() => compare("a", operand as never)).toThrow(text);
      }
    },
  );

  it.each([
    ["a u8", u8, 0, 255],
    ["an i8", i8, -128, 127],
    ["a u32", u32, 0, 0xffffffff],
    ["an i32", i32, -0x80000000, 0x7fffffff],
    ["the first of an array", array(i16, 1), -0x8000, 0x7fff],
  ] as const)("compares %s with a number that makes no difference", (_, type, least, most) => {
    for (const compare of [atLeast, below]) {
      // A shift makes bit 31 negative.
      for (const operand of [least, most + 1, 1 << 31, 2 ** 40]) {
        const text = (path: string) => `S: comparing ${path} with ${operand} tells nothing: it is ${least} to ${most}`;
        expect(complaint({ a: type, b: u8.when(compare("a", operand)) })).toBe(text("a"));
        expect(complaint({ h: group({ a: type }), b: u8.when(compare("h.a", operand)) })).toBe(text("h.a"));
      }
      expect(complaint({ a: type, b: u8.when(compare("a", least + 1), compare("a", most)) })).toBe("");
    }
  });

  it.each([
    ["a u8", u8, 0, 255],
    ["an i8", i8, -128, 127],
    ["a u32", u32, 0, 0xffffffff],
    ["the first of an array", array(i16, 1), -0x8000, 0x7fff],
    ["a boolean", bool, 0, 1],
    ["a boolean of 32 bits", bool32, 0, 1],
  ] as const)("compares %s with a number that it never is", (_, type, least, most) => {
    for (const operand of [least - 1, most + 1, 2 ** 40]) {
      const text = (path: string) => `S: comparing ${path} with ${operand} tells nothing: it is ${least} to ${most}`;
      for (const compare of [equals, notEquals]) {
        expect(complaint({ a: type, b: u8.when(compare("a", operand)) })).toBe(text("a"));
        expect(complaint({ h: group({ a: type }), b: u8.when(compare("h.a", operand)) })).toBe(text("h.a"));
        expect(complaint({ a: type, b: group({ c: u8.when(compare("a", operand)) }) })).toBe(text("a"));
      }
      expect(complaint({ a: type, b: choice("a", { [operand]: u8 }) })).toBe(text("a"));
    }
    expect(complaint({ a: type, b: u8.when(equals("a", least), notEquals("a", most)) })).toBe("");
    expect(complaint({ a: type, b: choice("a", { [least]: u8, [most]: u8 }) })).toBe("");
    expect(complaint({ a: varint, b: u8.when(equals("a", 2 ** 40)) })).toBe("");
  });

  it("tests bits that a number does not have", () => {
    const text = "S: a is tested for bits that u8 does not have";
    expect(complaint({ a: u8, b: u8.when(flag("a", 0x100)) })).toBe(text);
    expect(complaint({ a: u8, b: u8.when(masked("a", 0x100, 0)) })).toBe(text);
    expect(complaint({ a: array(u8, 1), b: u8.when(masked("a", 0x101, 0x100)) })).toBe(text);
    expect(complaint({ a: u8, b: choice({ field: "a", mask: 0x180 }, { 256: u8 }) })).toBe(text);
    expect(complaint({ a: u8, b: u8.when(flag("a", 0x180), masked("a", 0x180, 0x80)) })).toBe("");
    const ofBoolean = (kind: string) => `S: a is tested for bits that ${kind} does not have`;
    expect(complaint({ a: bool, b: u8.when(flag("a", 2)) })).toBe(ofBoolean("bool"));
    expect(complaint({ a: bool32, b: choice({ field: "a", mask: 3 }, { 2: u8 }) })).toBe(ofBoolean("bool32le"));
    expect(complaint({ a: bool, b: u8.when(flag("a", 1)) })).toBe("");
    // Such a bit of a negative number is set.
    expect(complaint({ a: i8, b: u8.when(flag("a", 0x100)) })).toBe("");
    for (const type of [u32, f32, u64]) expect(complaint({ a: type, b: u8.when(flag("a", 1 << 31)) })).toBe("");
  });

  it("wants bits that a mask leaves out", () => {
    for (const operand of [5, 2.5, 2 ** 32 + 2, -(2 ** 33) + 2]) {
      const text = `a & 0x6 is never ${operand}`;
      expect(() => masked("a", 6, operand)).toThrow(text);
      if (operand < 0) continue;
      for (const type of [u8, u64, varint]) {
        expect(complaint({ a: type, b: choice({ field: "a", mask: 6 }, { [operand]: u8 }) })).toBe(text);
      }
    }
    expect(masked("a", 0x8000_0000, 0x8000_0000)).toMatchObject({ operand: -0x8000_0000 });
  });

  it("compares what has no order, or is too large", () => {
    for (const compare of [atLeast, below]) {
      const using = (type: Type<unknown>) => complaint({ a: type, b: u8.when(compare("a", 1)) });
      for (const type of [bool, bool32, array(bool, 1)]) {
        expect(using(type)).toBe("S: a is a boolean, which isTrue() and isFalse() test");
      }
      for (const type of [f32, f64, uuid, text(4), array(f32, 1)]) {
        expect(using(type)).toBe("S: a is not a whole number");
      }
      for (const type of [u64, i64]) expect(using(type)).toBe("S: a has 64 bits, of which only flags can be used");
      expect(complaint({ a: u8.when(compare("b", 1)), b: u8 })).toBe("S: b is not an earlier field");
      expect(complaint({ a: u64, c: within(rest, group({}), { ...zlib, when: compare("a", 1) }) })).toContain(
        "64 bits",
      );
    }
  });

  it("uses something that is not a type, as in an import cycle", () => {
    const nothing: Type<number> = Reflect.get({}, "missing");
    const reason = "is undefined: is it declared further down, or in a module that imports this one?";
    expect(complaint({ a: u8, b: nothing })).toBe(`S: b ${reason}`);
    expect(() => group({ a: nothing })).toThrow(`a group: a ${reason}`);
    expect(() => array(nothing, 1)).toThrow(`the element of an array ${reason}`);
    expect(() => choice("a", { 1: nothing })).toThrow(`the choice 1 ${reason}`);
    const stranger: Type<number> = JSON.parse('{ "descriptor": "u8" }');
    expect(complaint({ a: stranger })).toBe("S: a is not a type");
    expect(() => group({ b: bytes("n") })).toThrow("a group: n is not an earlier field");
  });

  it.each([-1, 1.5, Number.NaN])("has a length of %d", (length) => {
    expect(() => bytes(length)).toThrow(`a length must be a whole number, 0 or more, not ${length}`);
    expect(() => text(length)).toThrow("must be a whole number");
  });

  it.each([
    ["nothing", undefined],
    ["a misspelt member", { filed: "n" }],
    ["something else", true],
  ])("has a length that is %s", (_, length) => {
    const given: { length: number } = JSON.parse(JSON.stringify({ length }));
    const reason = "a length must be a number, the name of a field, { field: ... } or rest, not ";
    for (const type of [bytes, text, (it: number) => array(u8, it), (it: number) => within(it, u8)]) {
      expect(() => type(given.length)).toThrow(reason);
    }
  });

  it("has flags that are not single bits of the number", () => {
    expect(() => flags(u8, { kOne: 1, kBoth: 3 })).toThrow("kBoth is 3, which is not one of the 8 bits of u8");
    expect(() => flags(u8, { kNinth: 1 << 8 })).toThrow("kNinth is 256, which is not one of the 8 bits of u8");
    expect(() => flags(u64, { kHalf: 0.5 })).toThrow("kHalf is 0.5, which is not one of the 64 bits of u64le");
    expect(() => flags(u8, { kNone: 0, kTop: 1 << 7 })).not.toThrow();
    expect(() => flags(u64, { kTop: 2 ** 63 })).not.toThrow();
  });

  it("has a number with two meanings, only one of which could be shown", () => {
    const bits = flags(u8, { kOne: 1 });
    expect(() => remarked(bits, () => "")).toThrow("u8 already has a meaning, and can have only one");
    expect(() => flags(enumeration(u8, { kOne: 1 }), { kTwo: 2 })).toThrow("u8 already has a meaning");
    expect(() => reference(reference(u8, "one"), "two")).toThrow("u8 already has a meaning");
  });

  it("has a private value of an unknown kind", () => {
    const kind: "chat" = JSON.parse('"Chat"');
    expect(() => text(rest).sensitive(kind)).toThrow('"Chat" is not a kind of private value; scrub --help lists them');
    for (const [own, problem] of [
      ["Seat", "its name is not made of lower-case letters, digits and hyphens"],
      ["chat", 'there is already a general kind "chat"'],
    ] as const) {
      const mistaken = { name: own, doc: "seats at the table" };
      expect(() => text(rest).sensitive(mistaken)).toThrow(`is not a kind of private value; ${problem}`);
    }
    const other = { by: "a", kinds: new Map([[1, kind]]), otherwise: "text" } as const;
    expect(() => text(rest).sensitive(other)).toThrow('"Chat" is not a kind of private value');
    expect(() =>
      text(rest)
        .sensitive("any-number")
        .public()
        .sensitive({ ...other, kinds: new Map() }),
    ).not.toThrow();
  });

  it("has two fields of one name", () => {
    const base = struct("Base", { a: u8 });
    expect(() => derive("Derived", base, { b: u8, a: u8 })).toThrow("Derived has two fields named a");
    const middle = derive("Middle", base, { b: u8 });
    expect(() => derive("Derived", middle, { a: u8 })).toThrow("Derived has two fields named a");
  });

  it.each(["", "1", "a.b", "a b", 'a"', "[0]"])("has a field with the invalid name %j", (name) => {
    expect(complaint({ [name]: u8 })).toBe(`S: ${JSON.stringify(name)} is not a valid field name`);
    expect(() => new Family("things", name, u8)).toThrow(`things: ${JSON.stringify(name)} is not a valid field name`);
  });

  it.each(["doc", "schema", "of"])("has a derived value without %s", (member) => {
    const derived = { name: "d", doc: "", schema: {}, of: () => 1, [member]: undefined };
    expect(() => struct("S", {}, { derived: [derived as never] })).toThrow(
      "S: the derived value d must be { name, doc",
    );
  });

  it("has a derived value with a name for something other than a whole number", () => {
    const derived = { name: "d", doc: "", schema: {}, of: () => 1, names: { kHalf: 0.5 } };
    expect(() => struct("S", {}, { derived: [derived] })).toThrow("kHalf names 0.5, which is not a whole number");
  });

  it("has a derived value with a name in use", () => {
    const derived = (name: string) => ({ name, doc: "", schema: {}, of: () => 1 });
    expect(() => struct("S", { a: u8 }, { derived: [derived("a")] })).toThrow(
      "S: the name of the derived value a is taken",
    );
    expect(() => struct("S", {}, { derived: [derived("d"), derived("d")] })).toThrow("the derived value d");
    const base = struct("Base", {}, { derived: [derived("d")] });
    expect(() => derive("D", base, { d: u8 })).toThrow("D: the name of the derived value d is taken");
  });

  it("says that its value is in a missing field", () => {
    expect(() => struct("S", { a: u8 }, { valueField: "b" })).toThrow("S: its value is in b, which is not a field");
  });

  it.each([
    [{ id: "b", name: "a" }, "b"],
    [{ id: "a", name: "b" }, "b"],
    [{ id: "a", name: "a", when: { field: "c", is: 1 } }, "c"],
  ])("introduces something by a missing field", (names, missing) => {
    const introduces = { kind: "player", ...names };
    expect(() => struct("S", { a: u8 }, { introduces })).toThrow(
      `S: it introduces something by ${missing}, which is not a field`,
    );
    expect(() => derive("D", struct("S", { b: u8, c: u8 }), { a: u8 }, { introduces })).not.toThrow();
  });

  // As a dissector in plain JavaScript may.
  it.each(['"knd": "player"', '"kind": ""', '"kind": {}'])("introduces something without its kind: %s", (kind) => {
    const introduces = JSON.parse(`{ ${kind}, "id": "a", "name": "a" }`);
    expect(() => struct("S", { a: u8 }, { introduces })).toThrow(
      "S: it introduces something without the kind of thing that it is",
    );
  });

  it.each([
    ["a.b", "the field of a number"],
    ["head.x.y", "the field of a field of a struct"],
    ["head.y", "a field that the struct does not have"],
    ["list.x", "the field of an array"],
    ["either.x", "the field of a choice"],
    ["head.", "nothing in a struct"],
  ])("introduces something by %s: %s", (path) => {
    const inner = group({ x: u8 });
    const members = {
      a: u8,
      head: inner,
      list: array(inner, 1),
      either: choice("a", { 1: inner }),
      body: within("a", inner),
    };
    const names = { kind: "player", id: "head.x", name: "body.x", when: { field: "a", is: 1 } };
    const declare = (part: object) => () => struct("S", members, { introduces: { ...names, ...part } });
    expect(declare({})).not.toThrow();
    for (const part of [{ id: path }, { name: path }, { when: { field: path, is: 1 } }]) {
      expect(declare(part)).toThrow(`S: it introduces something by ${path}, which is not a field`);
    }
  });

  it("refers to a field without being in a struct", () => {
    expect(() => struct("S", { a: u8, b: group({ c: bytes("a") }) })).toThrow("a is not an earlier field");
  });

  it("has a group with a condition on something that its struct does not have, or has later", () => {
    const optional = group({ b: u8.when(isTrue("a")) });
    const text = "S: a is not an earlier field";
    expect(complaint({ optional, a: u8 })).toBe(text);
    expect(complaint({ list: array(optional, 2), c: u8 })).toBe(text);
    expect(complaint({ outer: group({ optional }) })).toBe(text);
    expect(complaint({ a: optional })).toBe(text);
    expect(complaint({ a: pascalText, optional })).toBe("S: a is not a whole number");
    expect(complaint({ a: bool, optional: group({ b: u8.when(atLeast("a", 1)) }) })).toContain("S: a is a boolean");
    expect(complaint({ a: u8, optional: group({ b: u8.when(below("a", 256)) }) })).toContain("it is 0 to 255");
    expect(complaint({ a: u8, g: group({ g: group({ b: u8.when(isTrue("a.c")) }) }) })).toContain("a is not a struct");
  });

  it("has a group with a condition on a later field of its own", () => {
    const text = "a group: a is not an earlier field";
    expect(() => group({ b: u8.when(isTrue("a")), a: u8 })).toThrow(text);
    expect(() => group({ a: u8.when(isTrue("a")) })).toThrow(text);
  });

  it("has a condition on a field around it in something other than a group", () => {
    const members = { b: u8.when(isTrue("a")) };
    expect(() => struct("T", members)).toThrow("T: a is not an earlier field");
    expect(() => derive("T", group(members), {})).toThrow("T: a is not an earlier field");
    const text = "a group with the tag 1 of things: a is not an earlier field";
    expect(() => new Family("things", "tag", u8).register(group(members, { tag: 1 }))).toThrow(text);
    expect(() => decode(group(members), wire("00"))).toThrow("a type refers to a, but is not in a struct");
  });

  it("compresses a single leaf, which cannot contain fields", () => {
    const compressed = (content: Parameters<typeof within>[1]) => () => within("n", content, zlib);
    expect(compressed(u8)).toThrow("a compressed region must hold a struct or an array, not u8");
    expect(compressed(bytes(rest))).toThrow("not bytes");
    expect(compressed(undeclared("?"))).toThrow("not bytes");
    expect(compressed(choice("k", { 1: group({}), 2: u8 }))).toThrow("not u8");
    expect(compressed(choice("k", { 1: group({}) }, text(4)))).toThrow("not text");
    expect(compressed(choice("k", { 1: group({}) }, array(u8, 1)))).not.toThrow();
    expect(compressed(tuple([]))).not.toThrow();
  });

  it("has a condition in a choice, where it would be ignored", () => {
    expect(() => choice("k", { 1: u8.when(isTrue("x")) })).toThrow("an alternative of a choice cannot have conditions");
    expect(() => choice("k", {}, u8.when(isTrue("x")))).toThrow("an alternative of a choice cannot have conditions");
    expect(() => choice("k", { 1: within("n", group({})) })).not.toThrow();
  });

  it("has a key in a choice that is not a number", () => {
    const choices: Record<string, typeof u8> = { one: u8 };
    expect(() => choice("k", choices)).toThrow("one is not a number");
    const text = "k is compared with 1.5, which is not a whole number of up to 53 bits";
    expect(complaint({ k: u8, a: choice("k", { 1.5: u8 }) })).toBe(text);
  });
});

describe("a text that says where it ends, with a mistake in it", () => {
  it.each([
    ["a length that is no type", () => prefixed("n" as never, text), "the length in front of a prefixed text is not a"],
    ["a type declared below", () => prefixed(undefined as never, text), "is undefined: is it declared further down"],
    [
      "a float as its length",
      () => prefixed(f32, text),
      "the length in front of a prefixed text is not a whole number",
    ],
    ["a text as its length", () => prefixed(pascalText, text), "in front of a prefixed text is not a whole number"],
    ["64 bits", () => prefixed(u64, text), "the length in front of a prefixed text has 64 bits"],
    [
      "a condition",
      () => prefixed(u8.when(isTrue("a")) as never, text),
      "cannot have conditions: put them on the text",
    ],
    ["a text of fixed length", () => prefixed(u8, text(4) as never), "is given bytes, text or utf16 itself"],
    [
      "a number",
      () => prefixed(u8, u16 as never),
      "prefixed() is given bytes, text or utf16 itself: prefixed(u8, text)",
    ],
    ["nothing", () => prefixed(u8, undefined as never), "prefixed() is given bytes, text or utf16 itself"],
    ["an unknown option", () => prefixed(u8, text, { time: 2 } as never), "time is not an option of prefixed()"],
    ["a factor", () => prefixed(u8, text, { times: Number.NaN }), "the times of a length is NaN"],
    ["an empty mask", () => prefixed(u8, text, { mask: 0 }), "uses none of the bits: its mask is 0"],
    ["a mask of 33 bits", () => prefixed(u8, text, { mask: 2 ** 32 }), "only the lowest 32 can be used"],
    ["a zero after bytes", () => prefixed(u8, bytes, { endsWithZero: true }), "endsWithZero is for texts"],
    ["terminated bytes", () => terminated(bytes as never), "terminated() is given text or utf16 itself"],
    ["a terminated text of fixed length", () => terminated(text(4) as never), "terminated() is given text or utf16"],
    ["an unknown option", () => terminated(utf16, { zero: 1 } as never), "zero is not an option of terminated()"],
  ] as const)("is refused: %s", (_, declare, message) => {
    expect(declare).toThrow(message);
  });
});

describe("an optional field with a mistake in it", () => {
  const optional = optionalBy("has", { Nick: 1, Team: 2, None: 0, Far: 1n << 40n });

  it.each([
    ["an unknown flag", () => optional(u8, "Nik" as never), "has has no flag named Nik; did you mean Nick?"],
    ["the name of a method", () => optional(u8, "toString" as never), "has has no flag named toString"],
    ["a number", () => optional(u8, 1 as never), "has has no flag named 1"],
    ["no flag", () => (optional as (type: Type<unknown>) => unknown)(u8), "uses none of the bits: its mask is 0"],
    ["a flag without a bit", () => optional(u8, "None"), "uses none of the bits: its mask is 0"],
    ["a bit beyond the lowest 32", () => optional(u8, "Far"), "only the lowest 32 can be used"],
    ["no type", () => optional("u8" as never, "Nick"), "what is optional by has is not a type"],
    ["no field", () => optionalBy({ Nick: 1 } as never, {}), "is given the name of the field with the flags first"],
    ["a Map", () => optionalBy("has", new Map() as never), "names are an object such as { Name: 1 }, not a Map"],
    ["nothing", () => optionalBy("has", undefined as never), "names are an object such as { Name: 1 }"],
  ] as const)("is refused: %s", (_, declare, message) => {
    expect(declare).toThrow(message);
  });

  it("is refused if there is no such field, or it does not have these bits", () => {
    expect(complaint({ nick: optional(u8, "Nick") })).toBe("S: has is not an earlier field");
    expect(complaint({ has: text(1), nick: optional(u8, "Nick") })).toBe("S: has is not a whole number");
    const high = optionalBy("has", { High: 0x100 });
    expect(complaint({ has: u8, nick: high(u8, "High") })).toBe("S: has is tested for bits that u8 does not have");
  });
});

describe("a family with a mistake in it", () => {
  const family = () => new Family("things", "tag", u16, { nullTag: 0x8000 });

  it("has a class without a tag", () => {
    expect(() => family().register(struct("Thing", {}))).toThrow("Thing has no tag and cannot be in the family things");
  });

  it("has two classes with one tag", () => {
    const things = family();
    things.register(struct("One", {}, { tag: 1 }));
    expect(() => things.register(struct("Two", {}, { tag: 1 }))).toThrow("Two and One have the same tag 1");
    expect(() => family().register(struct("One", {}, { tag: 1 }), struct("Two", {}, { tag: 1 }))).toThrow("same tag");
  });

  it("has two classes with one name", () => {
    const things = family();
    things.register(struct("One", {}, { tag: 1 }));
    expect(() => things.register(struct("One", {}, { tag: 2 }))).toThrow("two classes of things are named One");
  });

  it("has a class whose name is known to have another tag", () => {
    const things = () =>
      new Family("things", "tag", u16, {
        names: new Map([
          [0x12, "One"],
          [0x13, "Two"],
        ]),
      });
    const text = "One has the tag 19 (0x0013), but is 18 (0x0012) in things";
    expect(() => things().register(struct("One", {}, { tag: 0x13 }))).toThrow(text);
    expect(() => things().register(struct("One", {}, { tag: 0x99 }))).toThrow("but is 18 (0x0012) in things");
    expect(() => things().register(struct("One", {}, { tag: 0x12 }), struct("Three", {}, { tag: 3 }))).not.toThrow();
  });

  it("has a class with the tag of null", () => {
    expect(() => family().register(struct("Null", {}, { tag: 0x8000 }))).toThrow("Null has the null tag");
  });

  it("has a class with a field named like the tag or the class", () => {
    expect(() => family().register(struct("T", { tag: u8 }, { tag: 1 }))).toThrow("T has a field named tag");
    expect(() => family().register(struct("T", { class: u8 }, { tag: 1 }))).toThrow("T has a field named class");
  });

  it("has a tag that is not a number of fixed width", () => {
    const codec: Codec<number> = { measure: () => 1, read: () => 1, write: () => new Uint8Array(1) };
    expect(() => new Family("things", "tag", coded("count", codec))).toThrow("the tag of things is not a whole number");
    expect(() => new Family("things", "tag", f32)).toThrow("the tag of things is not a whole number");
    expect(() => new Family("things", "tag", u32)).not.toThrow();
  });
});
