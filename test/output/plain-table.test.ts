import { describe, expect, it } from "vitest";
import type { Column } from "../../src/output/tables/fitted-columns.js";
import { plainTable } from "../../src/output/tables/plain-table.js";

const COLUMNS: readonly Column<readonly string[]>[] = [
  { title: "id", isNumber: true, cell: ([id = ""]) => id },
  { title: "name", cell: ([, name = ""]) => name },
  { title: "bar", isOptional: true, cell: () => "====" },
  { title: "sent c2s", isNumber: true, cell: () => "12" },
  { title: "s2c", isNumber: true, belongsToPrevious: true, cell: () => "34" },
];
const ROWS = [
  ["1", "Alice"],
  ["10", "大きな図書館"],
];

function tableOf(width?: number): string[] {
  return plainTable(ROWS, COLUMNS, (text) => text, width).split("\n");
}

describe("a table", () => {
  it("has its full width in a pipe, or if there is room", () => {
    const whole = [
      "id  name          bar   sent c2s  s2c",
      " 1  Alice         ====        12   34",
      "10  大きな図書館  ====        12   34",
      "",
    ];
    expect(tableOf()).toEqual(whole);
    expect(tableOf(37)).toEqual(whole);
  });

  it("leaves out optional columns before it is broken", () => {
    const less = [
      "id  name          sent c2s  s2c",
      " 1  Alice               12   34",
      "10  大きな図書館        12   34",
      "",
    ];
    expect(tableOf(36)).toEqual(less);
    expect(tableOf(31)).toEqual(less);
  });

  it("is broken into several tables that begin with the same column", () => {
    const below = [
      ...["id  name", " 1  Alice", "10  大きな図書館", ""],
      ...["id  sent c2s  s2c", " 1        12   34", "10        12   34", ""],
    ];
    expect(tableOf(30)).toEqual(below);
    expect(tableOf(17)).toEqual(below);
  });

  it("is cut if even that is too wide, but never to nothing", () => {
    const long = plainTable([["1", "x".repeat(50)]], COLUMNS.slice(0, 2), (text) => text, 20);
    expect(long).toBe(`id  name\n 1  ${"x".repeat(15)}…\n`);
    const narrow = plainTable([["1", "x".repeat(50)]], COLUMNS.slice(0, 2), (text) => text, 3);
    expect(narrow).toBe(`id  name\n 1  ${"x".repeat(11)}…\n`);
  });
});
