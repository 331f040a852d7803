import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { differencesFromJson, type ReadRow } from "../dataset/as-json.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { oncePerName } from "../support/once.js";
import { projectPath } from "../support/project-path.js";
import { SESSIONS, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { PythonRun, pythonWith } from "./python.js";

const READERS = [
  { engine: "pyarrow", python: pythonWith(["pyarrow"]) },
  { engine: "spark", python: pythonWith(["pyspark"], { java: true }) },
];

const folder = temporaryFolder();

/** The dataset of all sessions, made once for both engines. */
const dataset = oncePerName(async () => {
  const path = join(folder, "dataset");
  expect((await uncheckedRun(["export", ...SESSIONS.map(sample), "-o", path])).code).toBe(0);
  return path;
});

/** The messages of a sample, as `--json` prints them. */
const messagesOf = oncePerName(async (name) => jsonLines((await uncheckedRun([sample(name), "--json"])).stdout));

describe.each(READERS)("$engine (skipped where it is not installed)", ({ engine, python }) => {
  const tables = new Map<string, readonly ReadRow[]>();

  beforeAll(async () => {
    if (python === undefined) return;
    const path = await dataset("all");
    const run = new PythonRun(python, [projectPath("test/spark/rows.py"), engine, path], temporaryFolder());
    const { code, stdout, stderr } = await run.ended;
    expect(code, stderr).toBe(0);
    for (const { table, rows } of jsonLines(stdout)) tables.set(table, rows);
  }, 600_000);

  it.skipIf(python === undefined).each(SESSIONS)("reads what --json prints of %s", async (name) => {
    const messages = await messagesOf(name);
    const digests = (tables.get("captures") ?? []).filter((row) => row["name"] === name).map((row) => row["capture"]);
    expect(digests).toHaveLength(1);
    const rowsOf = async (table: string) => (tables.get(table) ?? []).filter((row) => row["capture"] === digests[0]);
    expect(await differencesFromJson(messages, rowsOf, (bytes) => bytes)).toEqual([]);
  });
});
