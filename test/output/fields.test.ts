import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FilterError, messageFields } from "../../src/filter/index.js";
import { type Column, columnOf } from "../../src/output/tables/field-columns.js";
import { fieldsLine } from "../../src/output/tables/fields-line.js";
import { CellWriter, type Separation } from "../../src/output/writers/cell-writer.js";
import { printable } from "../../src/output/writers/sanitise.js";
import {
  array,
  bits,
  bool,
  bytes,
  enumeration,
  equals,
  Family,
  flags,
  group,
  polymorphic,
  struct,
  u8,
  uuid,
} from "../../src/schema/index.js";
import { f32, u64 } from "../../src/schema/words/little-endian.js";
import { messageOf, ORDINARY, stretch, vocabularyOf } from "../filter/support/messages.js";

/** Columns of the `fields` format, and the lines made of them. */

const family = new Family("Thing", "thingIndex", u8, { nullTag: 0 });
family.register(struct("Lamp", { watts: u8 }, { tag: 1 }));
const Inner = struct(
  "Inner",
  { deep: u8, stream: u8 },
  {
    derived: [
      {
        name: "twice",
        doc: "",
        schema: { type: "integer" },
        of: (nodes, node) => 2 * (nodes.numberIn(node, "deep") ?? 0),
      },
      { name: "list", doc: "", schema: {}, of: () => ["a", 1], meaning: () => ["b", { c: 2 }] },
    ],
  },
);
const members = {
  colour: enumeration(u8, { kRed: 1 }),
  bits: flags(u8, { kFirst: 1, kSecond: 2 }),
  truth: bool,
  data: bytes(3),
  id: uuid,
  large: u64,
  real: f32,
  count: u8,
  inner: array(Inner, "count"),
  numbers: array(u8, 2),
  things: array(polymorphic(family), 2),
};
const parity = bits("parity", { field: "count", mask: 1, names: { kEven: 0 } });
const Message = struct("Message", members, { derived: [parity] });
const vocabulary = vocabularyOf(Message);
const message = messageOf(
  Message,
  "01 07 01 1f8b00 eaac0f7ee1daec4aa4cae76c05fdcfcf ffffffffffffffff 0000c07f 02 0301 0402 0809 01 3c 00",
  {
    origin: { ...ORDINARY.origin, capture: { name: "a.pcap", index: 0 } },
    notes: [
      { severity: "note", path: "a", text: "one" },
      { severity: "error", path: "", text: "two" },
    ],
  },
  {
    names: { get: (kind, id) => (kind === "player" && id === "10124" ? "Böb" : undefined) },
    context: {
      player: { kind: "player", id: "10124" },
      answers: { number: 5, name: "Question", milliseconds: 1.25, isFirst: true, isPing: false },
      error: "kNoWords",
    },
  },
);

function lineOf(of: typeof message, columns: readonly Column[], separation: Separation): string {
  return Buffer.from(fieldsLine(of, columns, new CellWriter(separation))).toString();
}

function cell(path: string, of = message): string {
  return lineOf(of, [columnOf(path, vocabulary)], "tab").slice(0, -1);
}

describe("a column", () => {
  it.each([
    ["colour", "kRed"],
    ["bits", "kFirst|kSecond|0x4"],
    ["truth", "true"],
    ["data", "1f8b00"],
    ["id", "7e0facea-dae1-4aec-a4ca-e76c05fdcfcf"],
    ["large", "18446744073709551615"],
    ["real", "NaN"],
    ["deep", "3,4"],
    ["inner.deep", "3,4"],
    ["Inner.deep", "3,4"],
    ["numbers", "8,9"],
    [
      "inner",
      '{"deep":3,"stream":1,"twice":6,"list":["b",{"c":2}]},{"deep":4,"stream":2,"twice":8,"list":["b",{"c":2}]}',
    ],
    ["twice", "6,8"],
    ["parity", "kEven"],
    ["list", 'b,{"c":2},b,{"c":2}'],
    ["things", '{"class":"Lamp","thingIndex":1,"watts":60},null'],
    ["Lamp", '{"class":"Lamp","thingIndex":1,"watts":60}'],
    ["class", "Lamp"],
    ["watts", "60"],
    ["undissected", ""],
    ["stream", "3"],
    [".stream", "1,2"],
    ["number", "7"],
    ["frame", "11,12"],
    ["frames", "11,12"],
    ["time", "2026-11-20T04:55:07.123456789Z"],
    ["source", "10.1.2.3:50312"],
    ["destination", "10.1.9.9:14617"],
    ["direction", "c2s"],
    ["transport", "tcp"],
    ["protocol", "toy.words"],
    ["message", "Message"],
    ["status", "ok"],
    ["length", "44"],
    ["answers", "5"],
    ["answers.milliseconds", "1.25"],
    ["error", "kNoWords"],
    ["conversation.player", "Böb"],
    ["notes", "one,two"],
    ["notes.path", "a,"],
    ["notes.severity", "note,error"],
    ["summary", ""],
  ])("%s", (path, expected) => {
    expect(cell(path)).toBe(expected);
  });

  it("has the value of a struct that stands for one of its fields, and none without that field", () => {
    const size = group({ isGiven: u8, value: u8.when(equals("isGiven", 1)) }, { valueField: "value" });
    const type = struct("Parcel", { size, sizes: array(size, 2) });
    const parcel = (hex: string) => messageOf(type, hex);
    const columns = ["size", "sizes"].map((path) => columnOf(path, vocabularyOf(type)));
    const list = '{"isGiven":0},{"isGiven":1,"value":8}';
    expect(lineOf(parcel("01 07 00 0108"), columns, "tab")).toBe(`7\t${list}\n`);
    expect(lineOf(parcel("00 00 0108"), columns, "tab")).toBe(`\t${list}\n`);
  });

  it("is empty for what is not a message", () => {
    const gap = stretch("gap", { notes: [{ severity: "warning", path: "", text: "5 bytes were not captured" }] });
    expect(cell("deep", gap)).toBe("");
    expect(cell("message", gap)).toBe("gap");
    expect(cell("summary", gap)).toBe("5 bytes were not captured");
  });

  it("exists for every message property that filters know", () => {
    // What the message above does not have is compared with JSON in agreement.slow.test.ts.
    const others = /^(capture|answeredBy|age|names)\b/;
    const empty = [...messageFields.keys()].filter((name) => cell(name) === "");
    expect(empty.filter((name) => !others.test(name))).toEqual([]);
  });

  it.each([
    ["depe", /^there is no field, class or message depe; did you mean deep\?/],
    ["gap", /^gap is not a message/],
    ["toy", /^toy is a protocol: the column protocol shows which one it is/],
    ["toy.words", /^toy.words is a protocol: the column protocol shows which one it is/],
    ["deep == 3", /^found "==" where the end should be/],
    ["deep, number", /^a column is one field: -e deep -e number$/m],
    ["Inner.watts", /^there is no watts in Inner/],
  ])("cannot be %s", (path, reason) => {
    expect(() => columnOf(path, vocabulary)).toThrow(FilterError);
    expect(() => columnOf(path, vocabulary)).toThrow(reason);
  });
});

describe("a line", () => {
  const line = (separation: Separation, ...columns: (readonly string[])[]) =>
    lineOf(
      message,
      columns.map((values) => (_message, writer) => {
        for (const value of values) writer.value(value);
      }),
      separation,
    );

  it("is separated by tabs, or by commas and quotes", () => {
    expect(line("tab", ["a"], [], ["b", "c"], ['d "e"'])).toBe('a\t\tb,c\td "e"\n');
    expect(line("csv", ["a"], [], ["b", "c"], ['d "e"'], [" f"], [""])).toBe('a,,"b,c","d ""e"""," f",\n');
    expect(line("tab")).toBe("\n");
  });

  it("contains no characters that a terminal obeys", () => {
    for (const separation of ["tab", "csv"] as const) {
      expect(line(separation, ["\u001b[2J\ta\r\nb\u202e"], ["c"])).toBe(
        `\\u001b[2J\\ta\\r\\nb\\u202e${separation === "tab" ? "\t" : ","}c\n`,
      );
    }
  });

  it.each([
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "=cmd|' /C calc'!A0",
    '"=1+1"',
    "＝1+1",
    "＋1",
    "－1",
    "＠a",
    " =1+1",
    "\u3000@a",
  ])("shows a formula as text: %s", (formula) => {
    for (const separation of ["tab", "csv"] as const) {
      const [first = ""] = line(separation, [formula], ["x"]).split(separation === "tab" ? "\t" : /,(?=x\n)/);
      expect(first.replace(/^"/, "")).toMatch(/^'/);
      expect(line(separation, ["a", formula])).toContain(",'");
    }
  });

  it.each(["-5", "-0", "-2.5", "-1.5e-7", "5", "1e+21"])("leaves the number %s alone", (number) => {
    expect(line("csv", [number, number])).toBe(`"${number},${number}"\n`);
  });

  it("consists of its values as text, whatever they contain, and however they are written", () => {
    const pieces = fc.constantFrom(
      "a",
      "7",
      "-",
      "=",
      '"',
      ",",
      ";",
      " ",
      "@",
      "\u00a0",
      "\u3000",
      "\u202e",
      "＝",
      "é",
    );
    const text = fc.oneof(fc.string({ unit: pieces, maxLength: 6 }), fc.integer().map(String));
    const columns = fc.array(fc.array(text, { maxLength: 3 }), { maxLength: 4 });
    const copy = (bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number) => {
      target.set(bytes.subarray(start, end), at);
      return end - start;
    };
    fc.assert(
      fc.property(columns, fc.constantFrom("tab", "csv"), fc.boolean(), (values, separation, isCopied) => {
        const written = values.map((column) => (_message: typeof message, writer: CellWriter) => {
          for (const value of column) {
            const bytes = Buffer.from(value);
            if (!isCopied || !writer.copiedValue(copy, bytes, 0, bytes.length)) writer.value(value);
          }
        });
        const cells = values.map((column) => column.map(harmless).join(","));
        const expected = separation === "tab" ? cells.join("\t") : cells.map(quoted).join(",");
        expect(lineOf(message, written, separation)).toBe(`${expected}\n`);
      }),
      { numRuns: 1000 },
    );
  });

  it("can contain whole numbers", () => {
    const column: Column = (_message, writer) => {
      for (const value of [0, -1, 4294967295, -2147483648, Number.MAX_SAFE_INTEGER]) writer.integer(value);
    };
    expect(lineOf(message, [column], "tab")).toBe("0,-1,4294967295,-2147483648,9007199254740991\n");
  });
});

function harmless(value: string): string {
  const text = printable(value);
  return /^\s*["=+\-@＝＋－＠]/.test(text) && !/^\s*-?\d+$/.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  const text = cell.replace(/;(?=\s*["=+\-@＝＋－＠])/g, ";'");
  return /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
