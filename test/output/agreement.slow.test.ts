import { beforeAll, describe, expect, it } from "vitest";
import { isArray, isObject, type Json } from "../../src/common/json.js";
import { messageFields, SUMMARY } from "../../src/filter/index.js";
import { uncheckedRun as run } from "../support/command-line.js";
import { sample } from "../support/samples.js";

/** The same fact has the same name, and the same value, in JSON and in a column. */

const CAPTURE = sample("nagus-session.pcap");
const COLUMNS = [...messageFields.keys(), SUMMARY];
/** Columns that JSON has under another name, or not alone. */
const NOT_IN_JSON = new Set(["frame", "capture", "answers", "answeredBy", "conversation.player", "notes"]);
/** Members of JSON that are no columns: what is in there is. */
const NO_COLUMNS = ["schema", "fields", "misfits"];

let lines: Json[] = [];
let rows: string[][] = [];

beforeAll(async () => {
  lines = (await run([CAPTURE, "--json", "--two-pass"])).stdout
    .trimEnd()
    .split("\n")
    .map((line): Json => JSON.parse(line));
  const columns = COLUMNS.flatMap((name) => ["-e", name]);
  rows = (await run([CAPTURE, ...columns, "--two-pass"])).stdout
    .replace(/\n$/, "")
    .split("\n")
    .map((row) => row.split("\t"));
}, 60_000);

/** The values at a path, with those of all elements of arrays. */
function valuesAt(value: Json | undefined, path: readonly string[]): string[] {
  if (isArray(value)) return value.flatMap((element) => valuesAt(element, path));
  const [name, ...names] = path;
  if (name === undefined) return value === undefined ? [] : [String(value)];
  return isObject(value) ? valuesAt(value[name], names) : [];
}

function pathsIn(value: Json, path: string): string[] {
  if (isArray(value)) return value.flatMap((element) => pathsIn(element, path));
  if (!isObject(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) => pathsIn(member, path === "" ? name : `${path}.${name}`));
}

describe("JSON and columns agree", () => {
  it("on every value", () => {
    expect(rows.length).toBe(lines.length);
    const seen = new Set<string>();
    for (const [index, name] of COLUMNS.entries()) {
      if (NOT_IN_JSON.has(name)) continue;
      const inJson = lines.map((line) => valuesAt(line, name.split(".")).join());
      // Several values share a column, where tabs and line ends are blanks.
      expect(rows.map((row) => row[index])).toEqual(inJson);
      if (inJson.some((value) => value !== "")) seen.add(name);
    }
    expect(COLUMNS.filter((name) => !seen.has(name) && !NOT_IN_JSON.has(name))).toEqual([]);
  });

  it("on every name", () => {
    const paths = new Set(
      lines.flatMap((line) =>
        isObject(line)
          ? pathsIn(Object.fromEntries(Object.entries(line).filter(([name]) => !NO_COLUMNS.includes(name))), "")
          : [],
      ),
    );
    expect(paths.size).toBeGreaterThan(25);
    expect([...paths].filter((path) => !COLUMNS.includes(path))).toEqual([]);
  });
});
