import { expect } from "vitest";
import { Tables } from "../../src/dataset/tables.js";
import { columnName } from "../../src/dataset/typed-tables.js";
import { dissectors } from "../../src/index.js";
import type { Column } from "../../src/schema/columns/column-type.js";
import type { jsonLines } from "../support/command-line.js";

const tables = new Tables(dissectors);

/** A row as an engine has read it: numbers of 64 bits as texts, since JSON has none. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** Bytes in hexadecimal, from the form in which an engine shows them. */
type HexOf = (shown: string) => string;

/** What a column has, in the form of JSON: numbers beyond a double's reach as texts, bytes in hexadecimal. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
  }
  return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
}

/** Bytes as JSON has them, from the form in which DuckDB shows them: `a\x00`. */
export function hexOfDuckDb(shown: string): string {
  return Buffer.from(
    shown.replaceAll(/\\x([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    "latin1",
  ).toString("hex");
}

/** Differences between a value of JSON and one of a column. */
function differences(json: unknown, value: unknown, { name, type }: Column, hexOf: HexOf): string[] {
  const differs = [`${name}: ${JSON.stringify(json)} is ${JSON.stringify(value)}`];
  if (json === null || json === undefined) return value === null || value === undefined ? [] : differs;
  switch (type.kind) {
    case "list": {
      if (!Array.isArray(json) || !Array.isArray(value) || json.length !== value.length) return differs;
      return json.flatMap((one, at) =>
        differences(one, value[at], { name: `${name}[${at}]`, type: type.element, doc: "" }, hexOf),
      );
    }
    case "struct":
      if (typeof value !== "object" || value === null) return differs;
      return membersDiffer(json, value, type.columns, hexOf).map((text) => `${name}.${text}`);
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

function membersDiffer(json: object, row: object, columns: readonly Column[], hexOf: HexOf): string[] {
  const known = new Map<string, unknown>(Object.entries(row));
  return Object.entries(json).flatMap(([name, value]) => {
    if (["class", "classIndex"].includes(name)) return [];
    const column = columns.find((one) => one.name.toLowerCase() === columnIn(columns, name).toLowerCase());
    if (column !== undefined) return differences(value, known.get(column.name), column, hexOf);
    return value === null ? [] : [`${name} has no column`];
  });
}

/**
 * Holds the tables of one capture against its lines of `--json`, each of which has to be there with all of its values;
 * returns what differs in the tables of messages.
 *
 * @param rowsOf the rows of a table that are of the capture
 */
export async function differencesFromJson(
  messages: ReturnType<typeof jsonLines>,
  rowsOf: (table: string) => Promise<readonly ReadRow[]>,
  hexOf: HexOf,
): Promise<string[]> {
  const rows = inOrder(await rowsOf("messages"));
  expect(rows.length).toBe(messages.length);
  const wrong: string[] = [];
  for (const [at, message] of messages.entries()) {
    const row = rows[at] ?? {};
    const { summary, status, protocol, direction, stream, epoch, error = null, answers, player, age } = message;
    expect(row).toMatchObject({
      ...{ summary, status, protocol, direction, message: message.message, error, epoch },
      number: String(message.number),
      stream: String(stream),
      answers_number: answers ? String(answers.number) : null,
      player_id: player ? String(player.id) : null,
      player_name: player?.name ?? null,
      age_id: age ? age.id : null,
      age_name: age?.name ?? null,
      frames: message.frames.map(String),
      notes: message.notes,
    });
    const whole = row["fields_json"];
    if (typeof whole === "string") expect(JSON.parse(whole)).toEqual(message.fields);
  }
  const names = new Set<string>(messages.map(({ message }) => message));
  for (const kind of names) {
    const table = tables.of(kind);
    if (table === undefined) continue;
    const own = messages.filter(
      ({ message, number }) => message === kind && rows[number - 1]?.["fields_json"] === null,
    );
    const typed = (await rowsOf(table.name)).filter(({ path }) => path === "");
    const byNumber = new Map(typed.map((row) => [row["number"], row]));
    for (const { number, fields, message } of own) {
      if ("offset" in fields && Object.keys(fields).length === 2) continue;
      const row = byNumber.get(String(number));
      if (row === undefined) wrong.push(`${message} ${number} has no row`);
      else
        wrong.push(...membersDiffer(fields, row, table.columns, hexOf).map((text) => `${message} ${number} ${text}`));
    }
  }
  return wrong;
}

function inOrder(rows: readonly ReadRow[]): ReadRow[] {
  return rows.toSorted((one, other) => Number(one["number"]) - Number(other["number"]));
}
