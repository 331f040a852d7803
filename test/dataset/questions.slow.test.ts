import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { run, uncheckedRun } from "../support/command-line.js";
import { oncePerName } from "../support/once.js";
import { projectPath } from "../support/project-path.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
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

  it("find no change of a variable in what was said of two instances of an age", async () => {
    const [, , changes = ""] = QUESTIONS.find(([, question]) => question?.startsWith("How do the variables")) ?? [];
    const stated = (values: string) => `WITH sdl AS (
      SELECT 'c' AS capture, 'o' AS object, NULL AS owner_id, NULL AS owner_name, 'd' AS descriptor, 'v' AS variable,
        true AS is_relayed, NULL AS time, NULL AS player_name, * FROM (VALUES ${values}) said(age_id, age_name, number, value)
    ) ${changes}`;
    expect(await ask(stated("('18', 'Hood', 1, '1'), ('19', 'Hood', 2, '2')"))).toEqual([]);
    expect(await ask(stated("('18', 'Hood', 1, '1'), ('18', 'Hood', 2, '2')"))).toHaveLength(1);
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

  const expected = oncePerName(async (words) => (await uncheckedRun(["sql", ...words.split("\0"), "--json"])).stdout);

  const names = ["date=2001-02-03", "number=7/x=1", "it's [1]", ...(process.platform === "win32" ? [] : ["a\\b*?"])];

  it.each(names)("asks a dataset of any name, which is no value in it: %s", async (name) => {
    const place = join(temporaryFolder(), name);
    cpSync(folder, place, { recursive: true });
    const query = "SELECT * FROM messages ORDER BY capture, number LIMIT 3";
    const { stdout, stderr } = await uncheckedRun(["sql", query, place, "--json"]);
    expect([stdout, stderr]).toEqual([await expected(`${query}\0${folder}`), ""]);
    expect(existsSync(join(place, "messages"))).toBe(true);
  });

  it.each(names)("asks captures wherever temporary files are: %s", async (name) => {
    const query = "SELECT * FROM messages ORDER BY number LIMIT 3";
    const capture = sample("bz107e-reject.pcap");
    const stdout = await expected(`${query}\0${capture}`);
    const place = join(temporaryFolder(), name);
    mkdirSync(place, { recursive: true });
    for (const variable of ["TMPDIR", "TEMP", "TMP"]) vi.stubEnv(variable, place);
    try {
      expect((await uncheckedRun(["sql", query, capture, "--json"])).stdout).toBe(stdout);
    } finally {
      vi.unstubAllEnvs();
    }
    expect(readdirSync(place)).toEqual([]);
  });

  it("says what is wrong with a question", async () => {
    const { code, stderr } = await uncheckedRun(["sql", "SELECT nothing FROM messages", folder]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/nothing/);
  });

  async function answer(query: string, ...rest: string[]) {
    return uncheckedRun(["sql", query, ...rest]);
  }

  it("answers each of several questions", async () => {
    expect((await answer("SELECT 1 AS a; SELECT 2 AS b", folder, "--json")).stdout).toBe('{"a":1}\n{"b":2}\n');
    expect((await answer("CREATE TABLE one AS SELECT 7 AS a; SELECT * FROM one", folder, "--csv")).stdout).toBe(
      "a\n7\n",
    );
    const pivot = "PIVOT (SELECT direction FROM messages) ON direction USING count(*)";
    expect((await answer(pivot, folder, "--csv")).stdout).toMatch(/^c2s,s2c\n\d+,\d+\n$/);
    const { code, stdout, stderr } = await answer("SELECT 1; SELEC", folder);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^moul-dissect: Parser Error: /);
  });

  it("needs a question", async () => {
    for (const query of [" ", " ; "]) {
      const { code, stderr } = await answer(query, folder);
      expect([code, stderr]).toEqual([1, "moul-dissect: sql needs a question that is not empty: SELECT ...\n"]);
    }
  });

  it("prints sums as numbers in JSON", async () => {
    const { stdout } = await answer("SELECT sum(length) AS bytes FROM messages", folder, "--json");
    expect(JSON.parse(stdout)).toEqual({ bytes: expect.any(Number) });
  });

  it.skipIf(process.platform === "win32")(
    "asks the dataset of that name, not others that it is a pattern of",
    async () => {
      const place = mkdtempSync(join(tmpdir(), "moul-dissect-data-"));
      const [one, two] = ["d?[x]*", "de[x]"].map((name) => join(place, name)) as [string, string];
      await uncheckedRun(["export", sample("bz107e-ping.pcap"), "-o", one, "-q"]);
      await uncheckedRun(["export", sample("bz107e-reject.pcap"), "-o", two, "-q"]);
      for (const [dataset, name] of [
        [one, "bz107e-ping.pcap"],
        [two, "bz107e-reject.pcap"],
      ] as const) {
        expect((await answer("SELECT name FROM captures", dataset, "--csv")).stdout).toBe(`name\n${name}\n`);
      }
    },
  );

  it("prints values of any length, each whole", async () => {
    // Columns as wide as that would make more than a text can hold.
    const wide = "SELECT CASE WHEN i = 1 THEN repeat('x', 100000) ELSE 'y' END AS long, i FROM range(6000) rows(i)";
    const { code, stdout } = await answer(wide, folder);
    expect(code).toBe(0);
    const [title, first, second, third] = stdout.split("\n", 4);
    expect([title, first, third]).toEqual(["long", "y", "y"].map((text, at) => text.padEnd(102) + ["i", 0, 2][at]));
    expect(second).toBe(`${"x".repeat(100_000)}  1`);
  });

  it("refuses what says nothing of a dataset, and several of them", async () => {
    const capture = sample("bz107e-ping.pcap");
    for (const [rest, why] of [
      [[folder, "--fields"], "--fields is for captures"],
      [[folder, "--keys", sample("keys")], "--keys is for captures"],
      [[folder, "-d", "tcp.port==5000,moul.game"], "-d is for captures"],
      [[folder, capture], "is a dataset, which is asked alone"],
      [[folder, folder], "is a dataset, which is asked alone"],
      [["-"], "sql reads a capture twice, which standard input does not allow: save it to a file first"],
    ] as const) {
      const { code, stdout, stderr } = await answer("SELECT 1", ...rest);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(why);
    }
  });

  it("says of captures what could not be read, and why", async () => {
    const keys = join(tmpdir(), "no.keys");
    const { code, stdout, stderr } = await answer(
      "SELECT count(*) AS n FROM pfKIMsg",
      sample("nagus-session.pcap"),
      "--keys",
      keys,
      "--csv",
    );
    expect([code, stdout]).toEqual([2, "n\n0\n"]);
    expect(stderr).toContain(`${keys}: the key file cannot be read (there is no such file)\n`);
    expect(stderr).toContain("are encrypted, and no key of the auth server was given");
    expect(stderr).not.toContain("exported");
    const good = await answer("SELECT 1", sample("nagus-session.pcap"), "--csv");
    expect([good.code, good.stderr]).toEqual([0, ""]);
  });
});
