import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { run, uncheckedRun } from "../support/command-line.js";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { datasetIn } from "./duckdb.js";

const QUESTIONS = [
  ...readFileSync(projectPath("docs/data.md"), "utf8").matchAll(/^(\S[^\n]*\?)\n\n```sql\n(.*?)```/gms),
];
const folder = mkdtempSync(join(tmpdir(), "moul-dissect-data-"));

/** Questions to which these recordings have no answer. */
const NO_ANSWER = ["Where are bytes missing, and how many?"];

describe("the questions of the page", () => {
  let ask: Awaited<ReturnType<typeof datasetIn>>;

  beforeAll(async () => {
    const captures = ["dirtsand-session.pcap", "nagus-session.pcap"].map(sample);
    expect((await run(["export", ...captures, "-o", folder, "-q"])).code).toBe(0);
    ask = await datasetIn(folder);
  }, 60_000);

  it("are sixteen", () => {
    expect(QUESTIONS).toHaveLength(16);
  });

  it.each(QUESTIONS.map(([, question = "", sql = ""]) => [question, sql]))("%s", async (question, sql) => {
    const rows = await ask(sql);
    expect(rows.length > 0).toBe(!NO_ANSWER.includes(question));
  });

  it("count what the captures have", async () => {
    expect(await ask("SELECT count(*) AS n FROM messages")).toEqual([{ n: String(574 + 486) }]);
  });
});

describe("sql", () => {
  it("asks a dataset, or captures themselves, and prints tables, JSON or CSV", async () => {
    const query = "SELECT error, count(*) AS n FROM messages WHERE error LIKE '%Authentication%' GROUP BY error";
    const capture = sample("dirtsand-session.pcap");
    expect(JSON.parse((await uncheckedRun(["sql", query, capture, "--json"])).stdout)).toEqual({
      error: "kNetErrAuthenticationFailed",
      n: 2,
    });
    expect((await uncheckedRun(["sql", query, folder, "--csv"])).stdout).toBe(
      "error,n\nkNetErrAuthenticationFailed,2\n",
    );
    expect((await uncheckedRun(["sql", query, folder])).stdout).toMatch(/^error +n\nkNetErrAuthenticationFailed +2\n$/);
  });

  it("says what is wrong with a question", async () => {
    const { code, stderr } = await uncheckedRun(["sql", "SELECT nothing FROM messages", folder]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/nothing/);
  });
});
