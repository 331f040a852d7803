import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Tables } from "../../src/dataset/dataset.js";
import { columnName } from "../../src/dataset/typed-tables.js";
import { dissectors } from "../../src/index.js";
import type { Column } from "../../src/schema/columns/column-type.js";
import { jsonLines, uncheckedRun } from "../support/command-line.js";
import { sample } from "../support/samples.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { datasetIn } from "./duckdb.js";

const SAMPLES = ["dirtsand-session.pcap", "bz0221-glclient.pcap", "bz107e-udp.pcap"];
const tables = new Tables(dissectors);

/** What a column has, in the form of JSON: numbers beyond a double's reach as texts, bytes in hexadecimal. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  }
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** Bytes as JSON has them, from the form in which DuckDB shows them: `a\x00`. */
function hexOf(shown: string): string {
  return Buffer.from(
    shown.replaceAll(/\\x([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    "latin1",
  ).toString("hex");
}

/** Differences between a value of JSON and one of a column. */
function differences(json: unknown, value: unknown, { name, type }: Column): string[] {
  const differs = [`${name}: ${JSON.stringify(json)} is ${JSON.stringify(value)}`];
  if (json === null || json === undefined) return value === null || value === undefined ? [] : differs;
  switch (type.kind) {
    case "list": {
      if (!Array.isArray(json) || !Array.isArray(value) || json.length !== value.length) return differs;
      return json.flatMap((one, at) =>
        differences(one, value[at], { name: `${name}[${at}]`, type: type.element, doc: "" }),
      );
    }
    case "struct":
      if (typeof value !== "object" || value === null) return differs;
      return membersDiffer(json, value, type.columns).map((text) => `${name}.${text}`);
    case "json":
      return JSON.stringify(JSON.parse(String(value))) === JSON.stringify(json) ? [] : differs;
    case "text":
      // A creatable: its fields are a row of their own.
      if (typeof json === "object" && "class" in json) return json.class === value ? [] : differs;
      return plain(json) === value || JSON.stringify(json) === value ? [] : differs;
    case "float":
      return Math.fround(Number(json)) === Number(value) || String(json) === String(value) ? [] : differs;
    case "bytes":
      return hexOf(String(value)) === json ? [] : differs;
    default:
      return String(plain(json)) === String(plain(value)) ? [] : differs;
  }
}

/** The name of a column: some fields have the names of the columns that all tables have. */
function columnIn(columns: readonly Column[], name: string): string {
  return columns.some((one) => one.name === "capture") ? columnName(name) : name;
}

function membersDiffer(json: object, row: object, columns: readonly Column[]): string[] {
  const known = new Map<string, unknown>(Object.entries(row));
  return Object.entries(json).flatMap(([name, value]) => {
    if (["class", "classIndex"].includes(name)) return [];
    const column = columns.find((one) => one.name.toLowerCase() === columnIn(columns, name).toLowerCase());
    if (column !== undefined) return differences(value, known.get(column.name), column);
    return value === null ? [] : [`${name} has no column`];
  });
}

describe("export", () => {
  it.each(SAMPLES)("writes what --json prints of %s", async (name) => {
    const folder = temporaryFolder();
    const exported = await uncheckedRun(["export", sample(name), "-o", folder]);
    expect(exported.code).toBe(0);
    const messages = jsonLines((await uncheckedRun([sample(name), "--json"])).stdout);
    const query = await datasetIn(folder);
    const rows = await query("SELECT * FROM messages ORDER BY number");
    expect(rows.length).toBe(messages.length);
    const wrong: string[] = [];
    for (const [at, message] of messages.entries()) {
      const row = rows[at] ?? {};
      const { summary, status, protocol, direction, stream, epoch, error = null, answers, player, age } = message;
      expect(row).toMatchObject({ summary, status, protocol, direction, message: message.message, error });
      expect(row).toMatchObject({ number: String(message.number), stream: String(stream), epoch });
      expect(row).toMatchObject({ answers_number: answers ? String(answers.number) : null });
      expect(row).toMatchObject({ player_id: player ? String(player.id) : null, player_name: player?.name ?? null });
      expect(row).toMatchObject({ age_id: age ? age.id : null, age_name: age?.name ?? null });
      expect(row["frames"]).toEqual(message.frames.map(String));
      expect(row["notes"]).toEqual(message.notes);
    }
    const names = new Set<string>(messages.map(({ message }) => message));
    for (const kind of names) {
      const table = tables.of(kind);
      if (table === undefined) continue;
      const own = messages.filter(
        ({ message, number }) => message === kind && rows[number - 1]?.["fields_json"] === null,
      );
      const typed = await query(`SELECT * FROM "${table.name}" WHERE path = '' ORDER BY number`);
      const byNumber = new Map(typed.map((row) => [row["number"], row]));
      for (const { number, fields, message } of own) {
        if ("offset" in fields && Object.keys(fields).length === 2) continue;
        const row = byNumber.get(String(number));
        if (row === undefined) wrong.push(`${message} ${number} has no row`);
        else wrong.push(...membersDiffer(fields, row, table.columns).map((text) => `${message} ${number} ${text}`));
      }
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  it("has a row for each class in a message", async () => {
    const folder = temporaryFolder();
    await uncheckedRun(["export", sample("dirtsand-session.pcap"), "-o", folder]);
    const query = await datasetIn(folder);
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
