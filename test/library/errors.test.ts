import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import * as engine from "../../src/engine.js";
import * as library from "../../src/index.js";
import { projectPath } from "../support/project-path.js";

/** Where what programs call, or write themselves, says what is thrown. */
const DOCUMENTED = [
  ...readdirSync(projectPath("src/library")).map((name) => `src/library/${name}`),
  "src/capture/compression/decompressors.ts",
  "src/capture/source.ts",
  "src/pipeline/display-filter.ts",
  "src/reference/value-dissector.ts",
];

/** Errors of the language. */
const COMMON = new Set(["TypeError", "RangeError"]);

/** What the docs before a declaration say is thrown, with the lines that go on with it. */
const THROWS = /@throws ([^@/]*)/g;

it("every error that the library is documented to throw can be told by its class", () => {
  const texts = DOCUMENTED.map((path) => readFileSync(projectPath(path), "utf8"));
  const said = texts.flatMap((text) => [...text.matchAll(THROWS)].map(([, what = ""]) => what));
  const names = said.flatMap((what) => what.match(/\b[A-Z]\w*(?:Error|Failure)\b/g) ?? []);
  const errors = [...new Set(names)].filter((name) => !COMMON.has(name)).sort();
  expect(errors).toContain("EncodeError");
  expect(errors).toContain("CompressionError");
  for (const exported of [library, engine]) {
    expect(errors.filter((name) => typeof Reflect.get(exported, name) !== "function")).toEqual([]);
  }
});
