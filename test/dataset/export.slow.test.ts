import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Tables } from "../../src/dataset/tables.js";
import { dissectors } from "../../src/index.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { oncePerName } from "../support/once.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { differencesFromJson, hexOfDuckDb } from "./as-json.js";
import { datasetIn } from "./duckdb.js";

const root = temporaryFolder();
const SAMPLES = ["dirtsand-session.pcap", "bz0221-glclient.pcap", "bz107e-udp.pcap"];
const tables = new Tables(dissectors);

/** The dataset of a sample, exported once. */
const exportedSample = oncePerName(async (name) => {
  const folder = join(root, name);
  const { code, stderr } = await uncheckedRun(["export", sample(name), "-o", folder]);
  return { code, stderr, query: await datasetIn(folder) };
});

/** True for a file with the rows of a capture. */
function isOfCapture(path: string): boolean {
  return /date=\d.*\.parquet$/.test(path);
}

describe("export", () => {
  it.each(SAMPLES)("writes what --json prints of %s", async (name) => {
    const { code, query } = await exportedSample(name);
    expect(code).toBe(0);
    const messages = jsonLines((await uncheckedRun([sample(name), "--json"])).stdout);
    const rowsOf = (table: string) => query(`SELECT * FROM "${table}"`);
    const wrong = await differencesFromJson(messages, rowsOf, hexOfDuckDb);
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  it("writes what --json prints of messages that pass a filter, and another filter replaces them", async () => {
    const folder = temporaryFolder();
    const name = "dirtsand-session.pcap";
    for (const filter of ["moul.game and playerId", "gap or moul.file"]) {
      expect((await uncheckedRun(["export", sample(name), "-o", folder, "-Y", filter])).code).toBe(0);
      const messages = jsonLines((await uncheckedRun([sample(name), "--json", "-Y", filter])).stdout);
      expect(messages.length).toBeGreaterThan(10);
      const query = await datasetIn(folder);
      const rowsOf = (table: string) => query(`SELECT * FROM "${table}"`);
      const wrong = await differencesFromJson(messages, rowsOf, hexOfDuckDb);
      expect(wrong.slice(0, 10)).toEqual([]);
    }
  });

  it("refuses a place that is no folder", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    for (const [path, why] of [
      [file, "is not a folder"],
      [join(file, "below"), "there is no such folder"],
    ] as const) {
      const { code, stderr } = await uncheckedRun(["export", sample("bz107e-udp.pcap"), "-o", path]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)]);
    }
  });

  it("says what cannot be written, and leaves no unfinished files", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "gaps"), "");
    const args = ["export", sample("bz107e-udp.pcap"), "-o", folder];
    const before = await uncheckedRun(args);
    expect([before.code, before.stderr]).toEqual([2, expect.stringContaining(`${folder} cannot be written: `)]);
    expect(before.stderr).not.toContain("internal error");
    rmSync(join(folder, "gaps"));
    expect((await uncheckedRun(args)).code).toBe(0);
    const table = join(folder, "messages");
    const path = join(table, readdirSync(table, { recursive: true, encoding: "utf8" }).find(isOfCapture) ?? "");
    rmSync(path);
    mkdirSync(path);
    const { code, stderr } = await uncheckedRun([...args, "--keep-duplicates"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${folder} cannot be written: `)]);
    expect(readdirSync(table).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("has a row for each class in a message", async () => {
    const { query } = await exportedSample("dirtsand-session.pcap");
    const listed = await query("SELECT c, count(*) AS n FROM (SELECT unnest(classes) AS c FROM messages) GROUP BY c");
    expect(listed.length).toBeGreaterThan(10);
    for (const { c, n } of listed) {
      const [found] = await query(`SELECT count(*) AS n FROM "${c}" WHERE path <> ''`);
      expect([c, found?.["n"]]).toEqual([c, n]);
    }
  });

  it("skips what it has exported, unless the options differ, and leaves no unfinished files", async () => {
    const folder = temporaryFolder();
    const args = ["export", sample("bz107e-udp.pcap"), "-o", folder];
    await uncheckedRun(args);
    const files = () => readdirSync(folder, { recursive: true }).map(String).sort();
    const before = files();
    expect(before.filter((name) => /(^|\/)\.\w/.test(name))).toEqual([]);
    expect((await uncheckedRun(args)).stderr).toContain("is in the dataset already");
    expect(files()).toEqual(before);
    expect((await uncheckedRun([...args, "--fields"])).stderr).toContain("messages exported");
    const query = await datasetIn(folder);
    const [captures] = await query("SELECT count(*) AS n, sum(messages) AS messages FROM captures");
    const [messages] = await query("SELECT count(*) AS n FROM messages");
    expect(captures).toEqual({ n: "1", messages: messages?.["n"] });
    const [fields] = await query("SELECT count(*) AS n, count(DISTINCT number) AS messages FROM fields");
    expect(Number(fields?.["n"])).toBeGreaterThan(Number(fields?.["messages"]));
  });

  it("says which stays of players are left out", async () => {
    const remarksOf = async ({ stderr, query }: Awaited<ReturnType<typeof exportedSample>>) => {
      const [players] = await query("SELECT count(*) AS n FROM players");
      const [captures] = await query("SELECT remarks FROM captures");
      return { stderr, stays: players?.["n"], remarks: String(captures?.["remarks"]) };
    };
    const all = await remarksOf(await exportedSample("dirtsand-session.pcap"));
    expect(all.remarks).not.toContain("players");
    const folder = temporaryFolder();
    const few = ["--limit", "countedKeys=1"];
    const { code, stderr } = await uncheckedRun(["export", sample("dirtsand-session.pcap"), "-o", folder, ...few]);
    const limited = await remarksOf({ code, stderr, query: await datasetIn(folder) });
    expect(Number(all.stays)).toBeGreaterThan(1);
    expect(limited.stays).toBe("1");
    const said =
      /the table players lacks the stays of \d+ messages: it has 1 stay of this capture; --limit countedKeys=N/;
    expect(limited.remarks).toMatch(said);
    expect(limited.stderr).toMatch(said);
  });

  it("has a row for a capture that cannot be read, and goes on", async () => {
    const folder = temporaryFolder();
    const broken = join(temporaryFolder(), "broken.pcap");
    writeFileSync(broken, readFileSync(sample("bz107e-udp.pcap")).subarray(0, 500));
    const missing = join(temporaryFolder(), "missing.pcap");
    const { code, stderr } = await uncheckedRun(["export", missing, broken, sample("bz107e-ping.pcap"), "-o", folder]);
    expect(code).toBe(2);
    expect(stderr).toContain("missing.pcap");
    const query = await datasetIn(folder);
    const rows = await query("SELECT name, outcome, len(problems) AS problems FROM captures ORDER BY name");
    expect(rows).toMatchObject([
      { name: "broken.pcap", outcome: "partial", problems: "1" },
      { name: "bz107e-ping.pcap", outcome: "whole", problems: "0" },
      { name: "missing.pcap", outcome: "unreadable", problems: "1" },
    ]);
  });

  it("says the same of a capture wherever it lies, and once", async () => {
    const bytes = readFileSync(sample("bz107e-udp.pcap")).subarray(0, 500);
    const written = await Promise.all(
      [1, 2].map(async () => {
        const [folder, other] = [temporaryFolder(), temporaryFolder()];
        const [broken, keys] = [join(other, "broken.pcap"), join(other, "shopping.keys")];
        writeFileSync(broken, bytes);
        writeFileSync(keys, "eggs\n");
        await uncheckedRun(["export", broken, "-o", folder, "--keys", keys]);
        const query = await datasetIn(folder);
        return query("SELECT * FROM captures");
      }),
    );
    expect(written[0]).toEqual(written[1]);
    const [{ problems, remarks } = {}] = written[0] ?? [];
    expect(problems).toEqual([expect.stringMatching(/^the file ends inside frame 6.*\(frame 6\d*, offset \d+\)$/)]);
    expect(remarks).toEqual([expect.stringMatching(/^shopping\.keys: /)]);
  });

  it("ends with 2 if a key file or definition file that was named cannot be used, and says why once, even with -q", async () => {
    const missing = (name: string, kind: string) =>
      `moul-dissect: ${name}: the ${kind} file cannot be read (there is no such file)\n`;
    const captures = [sample("bz107e-ping.pcap"), sample("bz107e-reject.pcap")];
    for (const [option, name, kind] of [
      ["--keys", "no.keys", "key"],
      ["--sdl", "no.sdl", "definition"],
    ] as const) {
      const folder = temporaryFolder();
      const path = join(folder, name);
      // What is in the dataset already was exported without that file, too.
      for (let turn = 0; turn < 2; turn++) {
        const { code, stderr } = await uncheckedRun([
          "export",
          ...captures,
          "-o",
          join(folder, "set"),
          option,
          path,
          "-q",
        ]);
        expect([code, stderr]).toEqual([2, missing(path, kind)]);
      }
    }
  });

  it.runIf(process.platform !== "win32")("takes keys from a pipe, for several captures", async () => {
    const folder = temporaryFolder();
    const at = (name: string) => join(folder, name);
    const [pipe, one, other] = [at("pipe"), at("one.pcap"), at("other.pcap")];
    execFileSync("mkfifo", [pipe]);
    for (const path of [one, other]) copyFileSync(sample("nagus-session.pcap"), path);
    appendFileSync(other, Buffer.alloc(16));
    void writeFile(pipe, readFileSync(sample("nagus-session.keys")));
    const set = join(folder, "set");
    const { code } = await uncheckedRun(["export", one, other, "-o", set, "--keys", pipe, "--jobs", "2", "-q"]);
    expect(code).toBe(0);
    const query = await datasetIn(set);
    const [row] = await query(
      "SELECT count(*) AS n, count(*) FILTER (status = 'encrypted') AS encrypted FROM messages",
    );
    expect(row).toEqual({ n: "972", encrypted: "0" });
  });

  it.runIf(process.platform !== "win32")("refuses a capture that can be read only once, as sql does", async () => {
    const folder = temporaryFolder();
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const args of [
      ["export", pipe, "-o", join(folder, "set")],
      ["sql", "SELECT 1", pipe],
    ]) {
      const why = `${args[0]} reads a capture twice, which ${pipe} does not allow: save it to a file first`;
      const { code, stderr } = await uncheckedRun(args);
      expect([code, stderr]).toEqual([1, `moul-dissect: ${why}\n`]);
    }
    expect(existsSync(join(folder, "set"))).toBe(false);
  });

  it("has every table with the same columns, whatever is in the captures", async () => {
    const folder = temporaryFolder();
    await uncheckedRun(["export", sample("bz107e-ping.pcap"), "-o", folder]);
    const query = await datasetIn(folder);
    for (const table of [tables.of("plNotifyMsg"), tables.of("Cli2Auth_AgeRequest")]) {
      const columns = (await query(`DESCRIBE "${table?.name}"`)).map((row) => row["column_name"]);
      expect(columns).toEqual([...(table?.columns ?? []).map(({ name }) => name), "date"]);
      expect((await query(`SELECT count(*) AS n FROM "${table?.name}"`))[0]).toEqual({ n: "0" });
    }
    expect(existsSync(join(folder, "messages")) && statSync(folder).isDirectory()).toBe(true);
  });
});

it("has the columns of what JSON calls by another name than its field", async () => {
  const { query } = await exportedSample("dirtsand-session.pcap");
  const nodes =
    await query(`SELECT nodeData.blob_1_content.sdlBlob.descriptorName AS name FROM Auth2Cli_VaultNodeFetched
    WHERE nodeData.nodeType = 'kNodeType_SDL' GROUP BY name ORDER BY name`);
  expect(nodes).toEqual([{ name: "Neighborhood" }, { name: "Personal" }, { name: "city" }]);
  const asked = await query(`SELECT DISTINCT variable.variableValue.boolData AS flag
    FROM (SELECT unnest(stream.data.variables) AS variable FROM plNetMsgTestAndSet) WHERE flag IS NOT NULL`);
  expect(asked.length).toBeGreaterThan(0);
  const [whole] = await query(`SELECT count(*) AS n FROM messages
    WHERE message = 'Auth2Cli_VaultNodeFetched' AND fields_json IS NOT NULL`);
  expect(whole).toEqual({ n: "0" });
});
