import { describe, expect, it } from "vitest";
import { hex16 } from "../../dissectors/bzflag/list/text.js";
import { vaultBlob } from "../../dissectors/moul/messages/vault/vaultLeaves.js";
import { compileFilter } from "../../src/filter/index.js";
import {
  array,
  bits,
  bool,
  bytes,
  coded,
  derivedFlags,
  enumeration,
  Family,
  flags,
  type Members,
  packed,
  polymorphic,
  reference,
  remarked,
  type StructType,
  struct,
  text,
  tuple,
  u8,
  utf16,
  uuid,
} from "../../src/schema/index.js";
import { f32, f64, i16, i64, u16, u32, u64 } from "../../src/schema/words/little-endian.js";
import { varint, varintCodec } from "../schema/support/codecs.js";
import { errorIn, messageOf, vocabularyOf } from "./support/messages.js";

/** How values of every kind are compared with everything that an expression can contain. */

const Colour = { kRed: 1, kGreen: 2, kBlue: 3 };
const Bits = { kFirst: 1 << 0, kSecond: 1 << 1, kLast: 1 << 31 };
const Wide = { kLow: 1 << 0, kHigh: 1 << 5 };

const shapes = new Family("Shape", "shapeIndex", u8, { nullTag: 0xff, names: new Map([[9, "Undeclared"]]) });
shapes.register(struct("Circle", { radius: u16 }, { tag: 1 }), struct("Point", {}, { tag: 2 }));

/** Checks a message with one field and these bytes against expressions that are true and expressions that are not. */
function check(members: Members, hex: string, isTrue: readonly string[], isFalse: readonly string[]): void {
  const type = struct("Whole", members);
  const vocabulary = vocabularyOf(type);
  const message = messageOf(
    type,
    hex,
    {},
    { names: { get: (kind, id) => (kind === "player" && id === "7" ? "Böb" : undefined) } },
  );
  const passes = (expression: string) => compileFilter(expression, vocabulary)(message);
  expect(isTrue.filter((expression) => !passes(expression))).toEqual([]);
  expect(isFalse.filter(passes)).toEqual([]);
}

describe("numbers", () => {
  it("are compared as numbers", () => {
    check(
      { a: u16 },
      "0a01",
      [
        "a == 266",
        "a == 0x10a",
        "a == 266.0",
        "a == 2.66e2",
        "a != 5",
        "a > 265",
        "a >= 266",
        "a < 266.5",
        "a <= 266",
        "a === 266",
        "a",
      ],
      ["a == 267", "a != 266", "a > 266", "a >= 267", "a < 266", "a <= 265", "a < -1", "a !== 266"],
    );
    check({ a: i16 }, "feff", ["a == -2", "a < 0", "a == -0x2", "a in {-3 .. -1}"], ["a == 65", "a in {-1, 2 .. 5}"]);
  });

  it("keep 64 bits", () => {
    check(
      { a: u64 },
      "ffffffffffffffff",
      ["a == 18446744073709551615", "a > 18446744073709551614", "a == 0xffffffffffffffff", "a > 1.5"],
      ["a == 18446744073709551614", "a < 18446744073709551615"],
    );
    check({ a: i64 }, "ffffffffffffffff", ["a == -1", "a < 0.5"], ["a == 9223372036854775807"]);
  });

  it("of single precision are compared in single precision", () => {
    check({ a: f32 }, "cdcc8c3f", ["a == 1.1", "a >= 1.1", "a < 1.2"], ["a != 1.1", "a > 1.1"]);
    check({ a: f64 }, "9a9999999999f13f", ["a == 1.1"], ["a != 1.1"]);
    check({ a: f32 }, "0000c07f", ["a != 1"], ["a == 1", "a < 1", "a > 1", "a <= 1"]);
  });

  it("of single precision are compared with what they cannot hold", () => {
    check({ a: f32 }, "00000040", ["a < 1e39", "a > -1e39", "a in {0 .. 1e39}"], ["a == 1e39", "a >= 1e39"]);
    check({ a: f32 }, "0000807f", ["a > 1e39", "a != 1e39"], ["a == 1e39", "a in {0 .. 1e39}"]);
    check({ a: f32 }, "00000000", ["a < 1e-50", "a > -1e-50", "a == 0"], ["a == 1e-50", "a == -1e-50"]);
    check({ a: f32 }, "ffff7f7f", ["a == 3.4028235e38", "a > 3.4e38"], ["a == 1e39", "a == Infinity"]);
  });

  it("are not compared with what no number can be", () => {
    const { reason, at } = errorIn("a < 1e400", vocabularyOf(struct("Float", { a: f64 })));
    expect({ reason, at }).toEqual({ reason: "1e400 is more than any number can be; write Infinity", at: "1e400" });
  });

  it.each([
    ["single", f32, "0000807f", "000080ff", "0000c07f"],
    ["double", f64, "000000000000f07f", "000000000000f0ff", "000000000000f87f"],
  ] as const)("of %s precision need not be finite, or numbers", (_, a, infinite, negative, none) => {
    check(
      { a },
      infinite,
      ["a == Infinity", 'a == "Infinity"', "a > 1e300", "a > -Infinity", "a in {0 .. Infinity}", "a != NaN"],
      ["a == -Infinity", "a == NaN", "a < Infinity", "a != Infinity"],
    );
    check(
      { a },
      negative,
      ["a == -Infinity", 'a == "-Infinity"', "a < 0", "a in {-Infinity}"],
      ["a == Infinity", "a > -Infinity"],
    );
    check(
      { a },
      none,
      ["a == NaN", 'a == "NaN"', "a in {1, NaN}", "a != Infinity"],
      ["a != NaN", "a == Infinity", "a == 0", "a < NaN", "a > NaN", "a < Infinity"],
    );
  });

  it("can be tested bit by bit", () => {
    check({ a: u8 }, "05", ["a & 4", "a & 6 == 4", "a & 0x05 == 5", "a & 1 > 0"], ["a & 2", "a & 6 == 6"]);
    check({ a: i16 }, "feff", ["a & 0x8000"], ["a & 1"]);
    check({ a: u64 }, "0000000000000080", ["a & 0x8000000000000000"], ["a & 0x4000000000000000"]);
  });

  it("can be tested bit by bit with a codec, too", () => {
    const marks = flags(varint, { kOne: 1, kTwo: 2 });
    const members = { a: varint, marks };
    check(
      members,
      "8501 02",
      ["a & 4", "a & 0x81 == 0x81", "marks & kTwo", "marks & 6 == kTwo"],
      ["a & 2", "marks & kOne"],
    );
    // Larger than any number, as the bytes do not end.
    const endless = `${"ff".repeat(200)}01`;
    check(members, endless + endless, ["a > 5"], ["a & 1", "marks & kOne", "marks contains kOne"]);
    const below = coded("below", { ...varintCodec, read: (bytes, start) => -(bytes[start] ?? 0) });
    check({ a: below, marks: flags(below, { kOne: 1 }) }, "01 01", ["a & 1", "a & 0x80", "marks & kOne"], ["a & 0"]);
  });
});

describe("names of numbers", () => {
  it("of an enum are values", () => {
    const a = enumeration(u8, Colour);
    check(
      { a },
      "02",
      [
        "a == kGreen",
        'a == "kGreen"',
        "a == 2",
        "a != kRed",
        "a > kRed",
        "a <= kBlue",
        "a in {kRed, kGreen}",
        "a in {kRed .. kBlue}",
        'a matches "green$"',
        'a contains "Gre"',
      ],
      ["a == kRed", "a != kGreen", "a > kGreen", "a in {kRed}", 'a matches "red"'],
    );
    check({ a }, "09", ["a != kRed", "a == 9"], ["a == kRed", 'a matches "k"']);
  });

  it("of flags are bits", () => {
    const a = flags(u32, Bits);
    check(
      { a },
      "01000080",
      [
        "a contains kFirst",
        "a contains kLast",
        "a & kLast",
        "a & kSecond == 0",
        "a & kFirst == kFirst",
        "a & 3 == kFirst",
        'a == "kFirst|kLast"',
        'a == "kLast | kFirst"',
        'a contains "kFirst|kLast"',
        "a != kFirst",
        "a == 0x80000001",
        'a matches "last"',
      ],
      ["a contains kSecond", "a & kSecond", "a == kFirst", 'a contains "kFirst|kSecond"'],
    );
    check(
      { a: flags(u64, Wide) },
      "2000000000000000",
      ["a contains kHigh", "a & kHigh", "a == kHigh", "a == 32"],
      ["a contains kLow", "a & 1"],
    );
  });

  it("refer to what the number is packed from", () => {
    const address = packed(u32, (value) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join("."));
    check(
      { a: address },
      "0100007f",
      [
        "a == 127.0.0.1",
        "a == 127.0.0.0/8",
        "a == 0.0.0.0/0",
        "a == 127.0.0.1/32",
        "a == 2130706433",
        'a matches "^127"',
        'a contains "0.0"',
        "a in {10.0.0.0/8, 127.0.0.1}",
      ],
      ["a == 127.0.0.2", "a == 10.0.0.0/8", "a != 127.0.0.0/8"],
    );
    check(
      { a: packed(u32, () => "2001:db8::7f00:1") },
      "00000000",
      [
        "a == 2001:db8::7f00:1",
        "a == 2001:DB8:0:0:0:0:7f00:1",
        'a == "2001:DB8:0:0::7f00:0001"',
        "a == 2001:db8::/32",
        'a == "2001:db8::/33"',
        "a == ::/0",
        "a in {fe80::/10, 2001:d00::/24}",
      ],
      ["a == 2001:db8::2", "a == 2001:db9::/32", "a == 2001:db8:8000::/33", "a == 0.0.0.0/0", "a != 2001:db8::/32"],
    );
    const time = packed(u32, (value) => `${new Date(value * 1000).toISOString().slice(0, 19)}Z`);
    check(
      { a: time },
      "abd2ff6a",
      [
        "a == 2026-11-20T04:55:07",
        'a == "2026-11-20 04:55:07"',
        "a == 2026-11-20T05:55:07+01:00",
        "a > 2026-11-20",
        "a < 2026-11-20T04:55:07.5",
        "a in {2026-11-20 .. 2026-11-21}",
      ],
      ["a == 2026-11-20", "a != 2026-11-20T04:55:07Z"],
    );
  });

  it("include the name that other messages gave it", () => {
    const a = reference(u32, "age", "player");
    check(
      { a },
      "07000000",
      ['a == "Böb"', "a == 7", 'a matches "^b"', 'a contains "ö"', 'a in {"Alice", "Böb"}'],
      ['a == "Alice"', 'a != "Böb"'],
    );
    check({ a }, "07000000", ["a != Infinity", "a != NaN"], ['a == "Infinity"', "a == NaN"]);
    check({ a }, "08000000", ['a != "Böb"', "a == 8", 'a contains "8"'], ['a == "Böb"', 'a < "Böb"']);
  });

  it("explain it", () => {
    const a = remarked(u8, (value) => (value === 1 ? "one" : undefined));
    check({ a }, "01", ["a == one", "a == 1", 'a matches "ONE"'], ["a == two"]);
    check({ a }, "02", ["a != one", "a == 2"], ["a == one"]);
  });
});

describe("other values", () => {
  it("are true or false", () => {
    check({ a: bool }, "01", ["a == true", "a == 1", "a != false"], ["a == false", "a == 0"]);
    check({ a: bool }, "05", ["a == true", "a != 0"], ["a == false"]);
    check({ a: bool }, "00", ["a == false", "a < true"], ["a == true", "a == 1"]);
  });

  it("are UUIDs", () => {
    check(
      { a: uuid },
      "eaac0f7ee1daec4aa4cae76c05fdcfcf",
      [
        "a == 7e0facea-dae1-4aec-a4ca-e76c05fdcfcf",
        "a == 7E0FACEA-DAE1-4AEC-A4CA-E76C05FDCFCF",
        'a == "7E0FACEA-DAE1-4AEC-A4CA-E76C05FDCFCF"',
        'a in {"7E0FACEA-0000-0000-0000-000000000000" .. "7E0FACEA-FFFF-FFFF-FFFF-FFFFFFFFFFFF"}',
        'a matches "^7e0f"',
        'a contains "4aec"',
        'a[0:8] == "7e0facea"',
        "a[0:8] == 7e0facea",
      ],
      [
        "a == 00000000-dae1-4aec-a4ca-e76c05fdcfcf",
        "a != 7e0facea-dae1-4aec-a4ca-e76c05fdcfcf",
        'a != "7E0FACEA-DAE1-4AEC-A4CA-E76C05FDCFCF"',
      ],
    );
  });

  it("are UUIDs in a text, whose letters may be capital", () => {
    const id = "7E0FACEA-DAE1-4AEC-A4CA-E76C05FDCFCF";
    check(
      { a: text(36) },
      Buffer.from(id).toString("hex"),
      [`a == ${id}`, `a == "${id}"`, `a == "${id.toLowerCase()}"`, `a contains "${id}"`],
      [`a != "${id}"`, 'a == "7e0facea"', `a contains "${id.toLowerCase()}"`],
    );
  });

  it("are texts", () => {
    const hex = Buffer.from("Shorah, Böb!").toString("hex");
    const check2 = (isTrue: string[], isFalse: string[]) => check({ a: text(13) }, hex, isTrue, isFalse);
    check2(
      [
        'a == "Shorah, Böb!"',
        'a contains "rah"',
        'a matches "^SHORAH"',
        'a matches "b(ö|x)b"',
        'a[0:6] == "Shorah"',
        "a[0:6] == Shorah",
        'a[-4:3] == "Böb"',
        'a[-1] == "!"',
        'a[2-4] == "ora"',
        'a > "Sh"',
        'a[0:3] in {"Sho", "x"}',
        'a[0:6] matches "^sho"',
        'a[0:6] contains "ora"',
        "a[0:6]",
      ],
      [
        'a == "shorah, böb!"',
        'a contains "RAH"',
        'a matches "^orah"',
        'a[0:6] == "Shorax"',
        'a[50:] == "x"',
        "a[50:]",
        'a[0:3] contains "ah"',
      ],
    );
    check({ a: utf16(6) }, "530068000000", ['a == "Sh"'], ['a == "S"']);
    check({ n: u8, a: text("n") }, "03313233", ["a == 123", 'a == "123"'], ["a == 0123"]);
  });

  it("are bytes", () => {
    check(
      { a: bytes(6) },
      "1f8b0a78797a",
      [
        "a == 1f:8b:0a:78:79:7a",
        "a == 1f8b0a78797a",
        "a[0:2] == 1f:8b",
        "a[0:2] == 1f8b",
        "a[0] == 1f",
        "a[1] == 0x8b",
        "a[3:] == 78:79:7a",
        'a[3:] == "xyz"',
        "a[-3:2] == 7879",
        "a[2-3] == 0a:78",
        "a contains 8b:0a",
        'a contains "yz"',
        'a matches "XYZ$"',
        "a > 1f:8b",
        "a[0:2] != 1f:8c",
        "a[4:]",
        'a[3:] matches "^x"',
        "a[3:] contains 79",
      ],
      ["a == 1f:8b", "a[0:2] == 8b:1f", "a contains 0a:8b", "a[6:]", "a[0:2] in {00:00 .. 01:00}"],
    );
  });

  it("are lists, of which one element has to match", () => {
    const members = { n: u8, a: array(u16, "n") };
    check(
      members,
      "03 0100 0200 0300",
      ["a", "a == 2", "a != 4", "a > 2", "a in {3 .. 9}", "a !== 2"],
      ["a == 4", "a != 2", "a === 2", "a > 3"],
    );
    check(members, "00", ["a", "not a == 1"], ["a == 1", "a != 1", "a === 1", "a !== 1"]);
    check(members, "02 0500 0500", ["a === 5"], ["a !== 5"]);
  });

  it("are tuples, of which one element has to match", () => {
    check({ a: tuple([u8, text(2)]) }, "05 6869", ["a == 5", "a == hi", "a"], ["a == 6", "a == ho"]);
  });

  it("are objects, or none", () => {
    const members = { a: polymorphic(shapes) };
    check(
      members,
      "01 0700",
      [
        "a",
        "Circle",
        "a.Circle",
        "a.radius == 7",
        "Circle.radius == 7",
        "class == Circle",
        'class matches "^circ"',
        "a != null",
        "shapeIndex == Circle",
        "a[1:] == 07:00",
      ],
      ["Point", "a == null", "class == Point", 'class == "None"'],
    );
    check(members, "ff", ["a == null", "a", "not class"], ["Circle", "a != null", "radius"]);
    check(members, "09", ["Undeclared", "class == Undeclared"], ["Circle"]);
  });

  it("are objects, whose tag may be of variable length", () => {
    const properties = new Family("Property", "id", varint, { nullTag: 0, names: new Map([[9, "Undeclared"]]) });
    properties.register(struct("Alias", { alias: u16 }, { tag: 300 }));
    const members = { a: polymorphic(properties) };
    check(
      members,
      "ac02 0700",
      [
        "Alias",
        "class == Alias",
        "a.id == 300",
        "id == Alias",
        "id > 299",
        "id in {1, 300}",
        "alias == 7",
        "a != null",
      ],
      ["id == 1", 'id == "Other"', "a == null"],
    );
    check(members, "00", ["a == null", "id == 0"], ["Alias"]);
    check(members, "09", ["Undeclared", "id == Undeclared"], ["Alias"]);
  });

  it("are structs that are shown as texts", () => {
    const Moment = struct(
      "Moment",
      { seconds: u32 },
      { shownAs: (nodes, node) => new Date((nodes.numberIn(node, "seconds") ?? 0) * 1000).toISOString() },
    );
    check(
      { a: Moment },
      "abd2ff6a",
      [
        "a == 2026-11-20T04:55:07",
        "a > 2026-11-20",
        'a contains "04:55"',
        'Moment matches "^2026"',
        "a.seconds == 1795150507",
      ],
      ["a == 2026-11-20", "a < 2026-11-20"],
    );
  });

  it("are derived from others", () => {
    const Sum = struct(
      "Sum",
      { a: u8, b: u8 },
      {
        derived: [
          {
            name: "sum",
            doc: "",
            schema: { type: "integer" },
            of: (nodes, node) => (nodes.numberIn(node, "a") ?? 0) + (nodes.numberIn(node, "b") ?? 0),
          },
          {
            name: "parts",
            doc: "",
            schema: { type: "array", items: {} },
            of: () => [1, 2],
            meaning: () => ["one", 2, null, true],
          },
          { name: "named", doc: "", schema: { type: "object" }, of: () => ({ first: "x", inner: [{ second: 5 }] }) },
          { name: "known", doc: "", schema: { type: "object", properties: { third: {} } }, of: () => ({ third: "z" }) },
          { name: "half", doc: "", schema: { type: "number" }, of: () => 1.5 },
          { name: "truth", doc: "", schema: { type: "boolean" }, of: () => true },
          { name: "constant", doc: "", schema: { enum: [1, 2, true, "auto"] }, of: () => 2 },
          { name: "none", doc: "", schema: {}, of: () => undefined },
          bits("low", { field: "b", mask: 3, names: { kThree: 3 } }),
          bits("high", { field: "b", mask: 4, names: { kSet: 1 } }),
          derivedFlags("marks", { doc: "", names: { kOne: 1, kTwo: 2, kFour: 4 }, of: () => 5 }),
          { name: "set", doc: "", schema: {}, of: () => [0, 3], meaning: () => ["kFirst", 3] },
          { name: "sides", doc: "", schema: {}, of: () => 5, meaning: () => ["left", { other: "right" }] },
          bits("grade", { field: "b", mask: 3, names: { kWorst: 0, kMiddling: 1, kGood: 2, kBest: 3 } }),
        ],
      },
    );
    check(
      { whole: Sum },
      "0203",
      [
        "sum == 5",
        "sum",
        "whole.sum > 4",
        "Sum.sum != 4",
        "parts == one",
        "parts == 2",
        "parts == null",
        "parts == true",
        'parts matches "^o"',
        "named.first == x",
        "named.second == 5",
        "named.inner.second == 5",
        "known.third == z",
        'named.first[0] == "x"',
        "parts",
        "truth == true",
        "truth == 1",
        "truth != false",
        "constant == 2",
        "constant != true",
        "constant != auto",
        "named",
        "low == kThree",
        "low == 3",
        "low > 2",
        "low != 2",
        'low contains "Three"',
        'low matches "^kT"',
        "low in {1, kThree}",
        "grade > kGood",
        "grade >= kBest",
        "grade in {kMiddling .. kBest}",
        "high == 0",
        "sum & 1",
        "sum & 6 == 4",
        "low & 2",
        "low & 1 == 1",
        "marks contains kOne",
        'marks contains "kOne|kFour"',
        "marks & kFour",
        "marks & 3 == kOne",
        'marks == "kOne|kFour"',
        "marks == 5",
        'marks matches "kFour$"',
        "sides == left",
        "set == 0",
        "set == kFirst",
        "set == 3",
      ],
      [
        "low == 2",
        "low != 3",
        "low != kThree",
        "grade < kWorst",
        "grade <= kGood",
        "high == kSet",
        "sum == 6",
        "parts == two",
        "truth == false",
        "constant == 1",
        "constant == auto",
        "named.second == 6",
        "named.anything",
        "none",
        "sum & 2",
        "low & 1 == 0",
        "marks contains kTwo",
        'marks contains "kOne|kTwo"',
        "marks & kTwo",
        "marks == kOne",
        "set == 1",
        "high & 1",
        "half & 1",
        "parts != one",
      ],
    );
  });
});

describe("useless values", () => {
  const following = [
    { name: "sum", schema: { type: "integer" } },
    { name: "either", schema: { anyOf: [{ type: "number" }, { type: "boolean" }] } },
    { name: "words", schema: { type: "array", items: { enum: ["one", "two"] } } },
    { name: "only", schema: { const: "this" } },
    { name: "sure", schema: { type: "boolean" } },
    { name: "one", schema: { const: 1 } },
    { name: "perhaps", schema: { enum: ["some", null] } },
    { name: "pair", schema: { const: ["one", 2] } },
  ].map(({ name, schema }) => ({ name, schema, doc: "", of: () => undefined }));
  const marks = { name: "marks", doc: "", schema: { type: "array", items: { type: "string" } }, of: () => undefined };
  const signs = derivedFlags("signs", { doc: "", names: { kPlus: 1, kMinus: 2 }, of: () => undefined });
  const Inner = struct("Inner", { deep: u8 }, { derived: [marks, signs] });
  const type: StructType<unknown> = struct(
    "Whole",
    {
      number: u8,
      truth: bool,
      id: uuid,
      colour: enumeration(u8, Colour),
      bits: flags(u8, { kFirst: 1, kSecond: 2 }),
      data: bytes(2),
      word: text(2),
      who: reference(u8, "player"),
      real: f32,
      inner: Inner,
      list: array(u8, 2),
      pairs: tuple([u8, u16]),
      shape: polymorphic(shapes),
      coded: varint,
      marks: flags(u8, { kOne: 1 }),
      mixed: tuple([u8, polymorphic(shapes)]),
    },
    { derived: [bits("level", { field: "number", mask: 3, names: { kLow: 1, kHigh: 2 } }), ...following] },
  );
  const vocabulary = vocabularyOf(type);

  it.each([
    [".number == red", "number is a number, which red is not", "red"],
    ['.number == "5"', "number is a number, which 5 is not", '"5"'],
    [".number contains 5", "number is a number, which cannot be searched", "5"],
    ['.number matches "5"', "number is a number, which cannot be searched", '"5"'],
    [".number & red", "number is a number: red names none of its bits", "red"],
    [".number & 1 == red", "number is a number: red names none of its bits", "red"],
    [".number == NaN", "number is a number, which NaN is not", "NaN"],
    [".number > -Infinity", "number is a number, which -Infinity is not", "-Infinity"],
    ["real == nan", "real is a number, which nan is not", "nan"],
    ["real & 1", "real is a number: 1 names none of its bits", "1"],
    ["truth == yes", "truth is true or false, which yes is not", "yes"],
    ["id == 5", "id is a UUID, which 5 is not", "5"],
    ["colour == kGren", "colour has no value kGren; did you mean kGreen?", "kGren"],
    ["colour == purple", "colour has no value purple; it has kRed, kGreen or kBlue", "purple"],
    ["colour in {kRed, kGren}", "colour has no value kGren; did you mean kGreen?", "kGren"],
    ["colour in {kRed .. kGren}", "colour has no value kGren; did you mean kGreen?", "kGren"],
    ["bits contains kFrist", "bits has no value kFrist; did you mean kFirst?", "kFrist"],
    ["bits & kFrist", "bits has no value kFrist; did you mean kFirst?", "kFrist"],
    ["bits contains 1", "bits is searched for names of flags, which 1 is not; for its bits, write bits & 1", "1"],
    ['bits contains "no"', "bits is searched for names of flags, which no is not; it has kFirst or kSecond", '"no"'],
    ["data == xyz", "data is a byte string (such as 01:02:ff), which xyz is not", "xyz"],
    ["coded == red", "coded is a number, which red is not", "red"],
    ["coded contains 5", "coded is a number, which cannot be searched", "5"],
    ["coded & red", "coded is a number: red names none of its bits", "red"],
    ["data contains xyz", "data is searched for bytes (01:02:ff) or a text in quotes, which xyz is not", "xyz"],
    ["data contains 5", "data is searched for bytes (01:02:ff) or a text in quotes, which 5 is not", "5"],
    ["data[0] == 5", "a part of data is compared with bytes (01:02:ff) or a text in quotes", "5"],
    ["data[0] & 5", "only a whole number has bits to test, not a part of its bytes", "[0]"],
    ["level == kHihg", "level has no value kHihg; did you mean kHigh?", "kHihg"],
    ["level & kLow", "level is a number: kLow names none of its bits", "kLow"],
    ["sum == red", "sum is a number, which red is not", "red"],
    ["sum contains 5", "sum is a number, which cannot be searched", "5"],
    ["either == yes", "either is a number, which yes is not", "yes"],
    ["sure == yes", "sure is true or false, which yes is not", "yes"],
    ["one == red", "one is a number, which red is not", "red"],
    ["pairs == red", "pairs is a number, which red is not", "red"],
    ["words == three", "words has no value three; it has one or two", "three"],
    ["only == that", "only has no value that; it has this", "that"],
    ["perhaps == sone", "perhaps has no value sone; did you mean some?", "sone"],
    ["marks & kOen", "marks has no value kOen; did you mean kOne?", "kOen"],
    ["marks & kWritten", "marks is a set of flags or a text: kWritten names none of its bits", "kWritten"],
    ["signs & kMinsu", "signs has no value kMinsu; did you mean kMinus?", "kMinsu"],
    ["signs == kMinsu", "signs has no value kMinsu; did you mean kMinus?", "kMinsu"],
    ["signs contains 1", "signs is searched for names of flags, which 1 is not; for its bits, write signs & 1", "1"],
    ["only & 1", "only is a text: 1 names none of its bits", "1"],
    ['colour == "kGren"', "colour has no value kGren; did you mean kGreen?", '"kGren"'],
    ['colour in {"kRed", "purple"}', "colour has no value purple; it has kRed, kGreen or kBlue", '"purple"'],
    ['colour contains "yellow"', "no name of a value of colour contains yellow", '"yellow"'],
    ['bits == "kFirst|kNo"', "bits has no value kFirst|kNo; it has kFirst or kSecond", '"kFirst|kNo"'],
    ['bits & 3 == "kNo"', "bits is a set of flags: kNo names none of its bits", '"kNo"'],
    ["bits & 3 == 4", "no number has the bits of 4 once it is cut down to those of 3", "4"],
    ['id == "abc"', "id is a UUID, which abc is not", '"abc"'],
    ["id in {2026-11-20}", "id is a UUID, which 2026-11-20 is not", "2026-11-20"],
    [".number == 256", "number is a whole number from 0 to 255, which 256 is not", "256"],
    [".number != -1", "number is a whole number from 0 to 255, which -1 is not", "-1"],
    [".number in {1, 300}", "number is a whole number from 0 to 255, which 300 is not", "300"],
    ["colour == 256", "colour is a whole number from 0 to 255, which 256 is not", "256"],
    [".number == 1.5", "number is a whole number, which 1.5 is not", "1.5"],
    [".number == 2026-11-20", "number is a number, which 2026-11-20 is not", "2026-11-20"],
    ["truth == 2", "truth is true or false, which 2 is not", "2"],
    ['truth == "yes"', "truth is true or false, which yes is not", '"yes"'],
    ["who == 256", "who is a whole number from 0 to 255, which 256 is not", "256"],
    ["who in {1, -1}", "who is a whole number from 0 to 255, which -1 is not", "-1"],
    ["who == 1.5", "who is a whole number, which 1.5 is not", "1.5"],
    ["who == 10.0.0.1", "who is a number, which 10.0.0.1 is not", "10.0.0.1"],
    [
      "data[0:2] == 01:02:03",
      "this part is never longer than 2: it cannot be or contain 01:02:03, which is",
      "01:02:03",
    ],
    ['word[-1] in {"ab"}', "this part is never longer than 1: it cannot be or contain ab, which is", '"ab"'],
    ['word[0-1] contains "abc"', "this part is never longer than 2: it cannot be or contain abc, which is", '"abc"'],
    ['level == "kHihg"', "level has no value kHihg; did you mean kHigh?", '"kHihg"'],
    ['words == "three"', "words has no value three; it has one or two", '"three"'],
    ['class == "Crcle"', "no class is called Crcle; did you mean Circle?", '"Crcle"'],
    ["class == Crcle", "class has no value Crcle; did you mean Circle?", "Crcle"],
    ["list == red", "list is a number, which red is not", "red"],
    ["inner == 5", "inner has no value of its own, only fields: add the name of one (inner.field)", "inner"],
    ["Inner == 5", "Inner has no value of its own, only fields: add the name of one (Inner.field)", "Inner"],
    ["shape == 5", "shape is an object: add the name of a field (shape.field), or compare it with null", "5"],
    ['shape contains "x"', "shape is an object: add the name of a field (shape.field)", '"x"'],
    ["shape & 1", "shape is an object: add the name of a field (shape.field)", "1"],
    ["mixed == red", "mixed is a number or an object, which red is not", "red"],
    ['word matches "("', "this is not a regular expression: Unterminated group", '"("'],
    ["toy == 5", "toy is a protocol, which a message has or does not have: it cannot be compared with anything", "toy"],
    ["gap == 5", "gap is a range of a stream, not a message: it cannot be compared with anything", "gap"],
  ])("%s", (expression, reason, at) => {
    expect(errorIn(expression, vocabulary)).toEqual({ reason, at });
  });

  it.each([
    ...["perhaps == null", "pair == one", "pair == 2", "marks == kWritten"],
    ...['class == "0x0042"', 'colour contains "ree"', 'colour contains "1"', 'colour matches "x"', "colour > 1.5"],
    ...[
      'id > "7e"',
      "id == 7e0facea-dae1-4aec-a4ca-e76c05fdcfcf",
      "truth == 0",
      "truth < 2",
      ".number < 1.5",
      ".number < 256",
    ],
    ...['who == "Alice"', "who == Alice", "who == 7", 'who contains "lic"', "bits & 3 == 0", "bits & 3 > 4"],
    ...[
      "data[0:2] == 01:02",
      "data[0:] == 01:02:03",
      'word[0-1] == "ab"',
      'word[0:1] > "ab"',
      'word[0:1] matches "^a$"',
    ],
  ])("%s can be true", (expression) => {
    expect(() => compileFilter(expression, vocabulary)).not.toThrow();
  });
});

describe("leaves that are read by a codec", () => {
  it("have bits if they are numbers written as text", () => {
    check(
      { style: flags(hex16, Wide), most: hex16 },
      Buffer.from("002100c8", "latin1").toString("hex"),
      ["style & kHigh", "style & kLow == 1", "style & 0x20 == 0x20", "style & 2 == 0", "most & 8", "most & 8 == 8"],
      ["style & 2", "most & 1", "most & 8 == 0"],
    );
    check({ most: hex16 }, Buffer.from("zzzz", "latin1").toString("hex"), ["most"], ["most & 8", "most & 8 == 0"]);
  });

  it("have parts without the length that stands before their bytes", () => {
    check(
      { blob: vaultBlob },
      "03000000010203",
      ["blob == 01:02:03", "blob[0:2] == 01:02", "blob[-1:] == 03", "blob[1-2] == 02:03", "blob[0] == 01"],
      ["blob[0:2] == 03:00", "blob[4:2] == 01:02", "blob[3:]"],
    );
  });
});
