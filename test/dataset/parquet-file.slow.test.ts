import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";
import { ParquetFile } from "../../src/cli/dataset/parquet-file.js";
import { type RowGroup, rowGroupOf } from "../../src/cli/dataset/row-group.js";
import { hashOf } from "../../src/dataset/columns/distinct.js";
import { Memory } from "../../src/dataset/columns/growing.js";
import { hashOfWords } from "../../src/dataset/columns/number-dictionary.js";
import { PartWriter, readPart } from "../../src/dataset/part-bytes.js";
import type { Row, Table, Value } from "../../src/dataset/table.js";
import { TableRows } from "../../src/dataset/table-rows.js";
import type { Column, ColumnType } from "../../src/schema/columns/column-type.js";
import { anyText } from "../support/any-text.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const folder = temporaryFolder();
let files = 0;

/** The library's own parser of text drops a byte order mark. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const parsers = { stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes) };

/** What a Parquet reader finds of groups of rows that were written. */
async function writtenAndRead(
  columns: readonly Column[],
  groups: readonly (readonly Row[])[],
  addLast: (rows: TableRows) => void = () => {},
) {
  const table: Table = { name: "table", doc: "", columns };
  const path = join(folder, `${files++}.parquet`);
  const file = new ParquetFile(path, table, {});
  const rows = new TableRows(table, "digest", new Memory());
  for (const group of groups) {
    for (const row of group) rows.add(row);
    file.write(rowGroupOf(rows));
    rows.clear();
  }
  addLast(rows);
  if (rows.count > 0) file.write(rowGroupOf(rows));
  file.end();
  const bytes = readFileSync(path);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const read = await parquetReadObjects({ file: buffer, utf8: false, parsers });
  return { read, metadata: parquetMetadata(buffer), size: bytes.length, left: rows.size };
}

/** A group of rows, with a copy of its bytes. */
function groupOf(rows: TableRows): RowGroup {
  const group = rowGroupOf(rows);
  return { ...group, bytes: group.bytes.slice() };
}

function columnOf(type: ColumnType): Column {
  return { name: "value", type, doc: "" };
}

async function valuesRead(type: ColumnType, values: readonly Value[]): Promise<unknown[]> {
  const { read } = await writtenAndRead([columnOf(type)], [values.map((value) => ({ value }))]);
  return read.map(({ value }) => shown(value));
}

const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const scalars: readonly { readonly type: ColumnType; readonly value: fc.Arbitrary<Value> }[] = [
  { type: { kind: "boolean" }, value: fc.boolean() },
  { type: { kind: "int32" }, value: fc.integer() },
  { type: { kind: "int64" }, value: fc.bigInt(INT64) },
  { type: { kind: "uint64" }, value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) },
  { type: { kind: "float" }, value: fc.float() },
  { type: { kind: "double" }, value: fc.double() },
  { type: { kind: "text" }, value: anyText({ maxLength: 200 }) },
  { type: { kind: "bytes" }, value: fc.uint8Array({ maxLength: 200 }) },
];

/** Types with values of them, or null, lists and structs around them. */
const typed: fc.Arbitrary<{ readonly type: ColumnType; readonly values: readonly Value[] }> = fc
  .letrec<{ any: { readonly type: ColumnType; readonly value: fc.Arbitrary<Value> } }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...scalars),
      tie("any").map(({ type, value }) => ({
        type: { kind: "list" as const, element: type },
        value: fc.array(fc.option(value, { freq: 4 }), { maxLength: 4 }),
      })),
      fc.tuple(tie("any"), tie("any")).map(([one, other]) => ({
        type: {
          kind: "struct" as const,
          columns: [
            { name: "one", type: one.type, doc: "" },
            { name: "other", type: other.type, doc: "" },
          ],
        },
        value: fc.record({ one: fc.option(one.value, { freq: 4 }), other: fc.option(other.value, { freq: 4 }) }),
      })),
    ),
  }))
  .any.chain(({ type, value }) =>
    // A few values over and over, as in captures: some columns have a dictionary then, and some have none.
    fc
      .array(fc.option(value, { freq: 4 }), { minLength: 1, maxLength: 6 })
      .chain((few) =>
        fc
          .array(fc.oneof(fc.constantFrom(...few), fc.option(value)), { maxLength: 60 })
          .map((values) => ({ type, values })),
      ),
  );

/** The value as a reader has it: undefined is null, and lone surrogates are no text. */
function shown(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return Buffer.from(value).toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object") return typeof value === "number" && Object.is(value, -0) ? "-0" : value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}

describe("a Parquet file", () => {
  it("keeps a byte order mark", async () => {
    expect(await valuesRead({ kind: "text" }, ["\ufeff", "\ufeffa"])).toEqual(["\ufeff", "\ufeffa"]);
  });

  it("has the values that were written, however they are nested", async () => {
    await fc.assert(
      fc.asyncProperty(typed, async ({ type, values }) => {
        expect(await valuesRead(type, values)).toEqual(values.map(shown));
      }),
      { numRuns: 300 },
    );
  });

  it("is the same if rows were gathered elsewhere, one at a time", () => {
    fc.assert(
      fc.property(typed, ({ type, values }) => {
        const table: Table = { name: "table", doc: "", columns: [columnOf(type)] };
        const noRows = () => new TableRows(table, "digest", new Memory());
        const [direct, gathered, elsewhere] = [noRows(), noRows(), noRows()];
        const writer = new PartWriter();
        for (const [at, value] of values.entries()) {
          direct.add({ value });
          // Rows of both origins follow each other.
          if (at % 3 === 0) {
            gathered.add({ value });
            continue;
          }
          elsewhere.clear();
          elsewhere.add({ value });
          const { rows } = readPart(writer.write({ rows: [elsewhere.part], fields: 1 }));
          for (const part of rows) gathered.append(part);
        }
        expect(groupOf(gathered)).toEqual(groupOf(direct));
      }),
      { numRuns: 300 },
    );
  });

  it("has all groups of rows, and nothing of one in the next", async () => {
    const groups = [["a", "a", "a", "b"], [], ["c", null, "c", "c", "c"], ["a"]];
    const rows = groups.map((group) => group.map((value) => ({ value })));
    const { read, left } = await writtenAndRead([columnOf({ kind: "text" })], rows);
    expect(read.map(({ value }) => value)).toEqual(groups.flat());
    expect(left).toBe(0);
  });

  it("has the values of the row before where a row begins like it", async () => {
    const kinds = ["text", "int64", "double", "boolean", "text", "text"] as const;
    const columns = kinds.map((kind, at) => ({ ...columnOf({ kind }), name: `c${at}` }));
    const long = "x".repeat(4000);
    const all = Array.from({ length: 500 }, (_, at) => {
      const other = Math.floor(at / 7);
      const fraction = other % 2 === 0 ? null : 0.5;
      // The first column repeats only here and there; what is behind those that are the same is not copied.
      const behind = at % 2 === 0 ? `${at}` : null;
      return [`${long}${other}`, BigInt(other), fraction, other % 3 === 0, "same", behind];
    });
    const { read } = await writtenAndRead(columns, [], (rows) => {
      for (const [at, row] of all.entries()) rows.addInOrder(row, 0, at % 7 === 0 ? 0 : 5);
    });
    expect(read.map((row) => columns.map(({ name }) => row[name]))).toEqual(all);
  });

  it("writes what repeats once, and does not look for it among what never does", async () => {
    const texts = Array.from({ length: 3000 }, (_, at) => `${at}`.padStart(1000, "-"));
    const repeated = texts.map((_, at) => texts[at % 20] ?? "");
    const rows = texts.map((other, at) => ({ value: repeated[at], other }));
    const columns = [columnOf({ kind: "text" }), { ...columnOf({ kind: "text" }), name: "other" }];
    const { read, metadata } = await writtenAndRead(columns, [rows]);
    expect(read).toEqual(rows);
    const [first, second] = metadata.row_groups[0]?.columns.map(({ meta_data: facts }) => facts?.encodings) ?? [];
    expect(first).toContain("RLE_DICTIONARY");
    expect(second).not.toContain("RLE_DICTIONARY");
  });

  it("knows the least and the greatest value, unless one of them was taken back", async () => {
    const type: ColumnType = { kind: "list", element: { kind: "text" } };
    const boundsOf = async (values: readonly Value[]) => {
      const { metadata } = await writtenAndRead([columnOf(type)], [values.map((value) => ({ value }))]);
      return metadata.row_groups[0]?.columns[0]?.meta_data?.statistics;
    };
    const sound = [
      ["é", "b"],
      ["b", "z"],
      ["b", "é", "z"],
    ];
    expect(await boundsOf([...sound, ...sound])).toMatchObject({ min_value: "b", max_value: "é", null_count: 0n });
    const { max_value } = (await boundsOf([...sound, ...sound, ["zz", 1]])) ?? {};
    expect(max_value).toBeUndefined();
  });

  it("has null where a value does not fit, and the rows around it whole", async () => {
    const type: ColumnType = { kind: "list", element: { kind: "struct", columns: [columnOf({ kind: "int32" })] } };
    const sound = [{ value: 1 }, { value: null }];
    expect(await valuesRead(type, [sound, [{ value: 2 }, { value: "2" }], [], null, sound])).toEqual([
      sound,
      null,
      [],
      null,
      sound,
    ]);
    expect(await valuesRead({ kind: "int32" }, [2 ** 31, 2 ** 31 - 1, 0.5, -(2 ** 31), true])).toEqual([
      null,
      2 ** 31 - 1,
      null,
      -(2 ** 31),
      1,
    ]);
    expect(await valuesRead({ kind: "int64" }, [2n ** 63n, 1e300, -(2 ** 60), 2 ** 53 - 1])).toEqual([
      null,
      null,
      -(2n ** 60n),
      2n ** 53n - 1n,
    ]);
  });

  const CHOSEN = 400;
  const sameHash = (hash: (number: number) => number): number[] => {
    const chosen: number[] = [];
    for (let number = 0; chosen.length < CHOSEN; number++) if ((hash(number) & 0xfff) === 0) chosen.push(number);
    return chosen;
  };
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, 4, true);

  it.each([
    { type: { kind: "int32" as const }, hash: (number: number) => hashOfWords(number, 0), value: Number },
    {
      type: { kind: "text" as const },
      hash: (number: number) => {
        for (let digit = 0; digit < 4; digit++) view.setUint8(4 + digit, letter(number, digit));
        return hashOf(view, 0, 8);
      },
      value: (number: number) => String.fromCharCode(...[0, 1, 2, 3].map((digit) => letter(number, digit))),
    },
  ])("gives up telling values of $type apart that somebody has chosen to be slow", async ({ type, hash, value }) => {
    const eightTimes = (numbers: readonly number[]) => {
      return Array.from({ length: 8 }, () => numbers.map((number) => ({ value: value(number) }))).flat();
    };
    const encodingsOf = async (rows: readonly Row[]) => {
      const { read, metadata } = await writtenAndRead([columnOf(type)], [rows]);
      expect(read).toEqual(rows);
      return metadata.row_groups[0]?.columns[0]?.meta_data?.encodings;
    };
    expect(await encodingsOf(eightTimes(sameHash(hash)))).toEqual(["PLAIN"]);
    expect(await encodingsOf(eightTimes(Array.from({ length: CHOSEN }, (_, at) => at)))).toContain("RLE_DICTIONARY");
  });
});

/** A letter of a text that stands for a number. */
function letter(number: number, digit: number): number {
  return 64 + ((number >> (6 * digit)) & 63);
}
