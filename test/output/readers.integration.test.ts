import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, describe, expect, it } from "vitest";
import { uncheckedRun as run } from "../support/command-line.js";
import { projectPath } from "../support/project-path.js";
import { SAMPLES, sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Programs that people use read every line of JSON of every sample. */

const folder = temporaryFolder();
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;

interface Lines {
  readonly path: string;
  readonly count: number;
  readonly times: readonly string[];
}

const files: Lines[] = [];

beforeAll(async () => {
  for (const capture of SAMPLES) {
    const { stdout } = await run([sample(capture), "--json", "--two-pass", "-q"]);
    const path = join(folder, `${capture}.jsonl`);
    writeFileSync(path, stdout);
    const lines = stdout.trimEnd().split("\n");
    const times = lines.map((line) => /"time":"([^."]*)/.exec(line)?.[1] ?? "");
    files.push({ path, count: lines.length, times });
  }
}, 60_000);

describe.skipIf(!has("jq"))("jq (skipped without jq)", () => {
  it("reads every line, and makes a date of the seconds", () => {
    for (const { path, times } of files) {
      const dates = execFileSync("jq", ["-r", ".seconds | floor | todate", path], { maxBuffer: 2 ** 26 }).toString();
      expect(dates.trimEnd().split("\n")).toEqual(times.map((time) => `${time}Z`));
    }
  });
});

const READ = `
import json, sys
def refuse(constant): raise ValueError(constant)
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as lines:
        objects = [json.loads(line, parse_constant=refuse) for line in lines]
    assert all(abs(int(o["epoch"]) / 1e9 - o["seconds"]) < 1e-6 for o in objects)
    print(len(objects))
`;

describe.skipIf(!has("python3"))("Python (skipped without python3)", () => {
  it("reads every line, with times of the same meaning", () => {
    const counts = execFileSync("python3", ["-c", READ, ...files.map(({ path }) => path)]).toString();
    expect(counts.trim().split(/\s+/).map(Number)).toEqual(files.map(({ count }) => count));
  });
});

describe("DuckDB", () => {
  let database: DuckDBConnection;
  beforeAll(async () => {
    database = await (await DuckDBInstance.create(":memory:")).connect();
  });

  const rowsOf = async (sql: string) => (await database.runAndReadAll(sql)).getRowsJson();
  const OPTIONS = "sample_size = -1, map_inference_threshold = -1, maximum_object_size = 100000000";

  it("reads every line, each value with the type of its path", async () => {
    for (const { path, count } of files) {
      // A table has all values, which a mere count would not look at.
      await database.run(`CREATE OR REPLACE TABLE lines AS SELECT * FROM read_json('${path}', ${OPTIONS})`);
      expect(await rowsOf("SELECT count(*) FROM lines")).toEqual([[String(count)]]);
    }
  });

  /** The queries of the page, in order. */
  const queries = [...readFileSync(projectPath("docs/json.md"), "utf8").matchAll(/```sql\n(.*?)```/gs)].map(
    ([, sql = ""]) => sql.replace("session.jsonl", join(folder, "dirtsand-session.pcap.jsonl")),
  );

  it("answers the questions of the page", async () => {
    const [failed = "", chat = "", slow = "", ...others] = queries;
    expect(others).toEqual([]);
    expect(await rowsOf(failed)).toContainEqual([
      "Alice of D'ni",
      "Cli2Auth_PlayerCreateRequest",
      "kNetErrPlayerAlreadyExists",
      0.494,
    ]);
    expect(await rowsOf(chat)).toContainEqual(["2026-11-20 04:55:07", "Alice of D'ni", "Shorah, Böb!"]);
    expect((await rowsOf(slow))[0]).toEqual(["Cli2Auth_PlayerCreateRequest", "4", 4.04, 5.257]);
  });
});
