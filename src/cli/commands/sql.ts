import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { DuckDBConnection, Json } from "@duckdb/node-api";
import { plainTable } from "../../output/tables/plain-table.js";
import { CellWriter } from "../../output/writers/cell-writer.js";
import { safeJson } from "../../output/writers/sanitise.js";
import { statOf } from "../../platform/node/system-path.js";
import type { CommandLine } from "../command-line.js";
import type { ExportOptions } from "../dataset/run-export.js";
import { ExitCode } from "../exit-code.js";
import { addFileOptions, addReadingOptions, filterOption, jsonOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { printableLines } from "../say.js";
import { UsageError } from "../usage-error.js";
import { finishPrinting, outputOf } from "../writing/printing.js";
import type { TextOutput } from "../writing/text-output.js";

const VIEWS = "views.sql";

const EPILOGUE = `
The tables are those of export; docs/data.md has their columns, and questions to ask. This needs the package
@duckdb/node-api, which is not installed with this one: npm install @duckdb/node-api

Examples:
  moul-dissect sql "SELECT message, count(*) FROM messages GROUP BY message" session.pcap
  moul-dissect sql "SELECT senderName, messageText FROM pfKIMsg" dataset --csv`;

interface SqlOptions extends ExportOptions {
  readonly json?: boolean;
  readonly csv?: boolean;
}

/** Adds the command `sql` to the program. */
export function addSqlCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("sql")
    .description("Asks captures, or a dataset that was exported, in SQL.")
    .argument("<query>", "the question, in DuckDB's SQL")
    .argument("<source...>", "captures, or the folder of a dataset")
    .addOption(jsonOption("each row as a JSON object on a line of its own"))
    .option("--csv", "rows as CSV, below the names of the columns")
    .option("--fields", "of captures, also the table with a row for each value in a message")
    .addOption(filterOption("of captures, take"));
  addFileOptions(addReadingOptions(command))
    .addHelpText("after", EPILOGUE)
    .action(async (query: string, sources: readonly string[], options: SqlOptions) => {
      end(await sqlCommand(query, sources, options, io));
    });
}

async function sqlCommand(
  query: string,
  sources: readonly string[],
  options: SqlOptions,
  io: ProcessIo,
): Promise<number> {
  if (options.json && options.csv) throw new UsageError("--json and --csv contradict each other");
  const [first = ""] = sources;
  for (const source of sources) {
    if ((await isFolder(source)) && !existsSync(join(source, VIEWS))) {
      throw new UsageError(`${source} is a folder, but no dataset: export makes one of captures`);
    }
  }
  const isDataset = sources.length === 1 && existsSync(join(first, VIEWS));
  if (isDataset && options.filter !== undefined) {
    throw new UsageError("-Y is for captures; what is asked of a dataset says which rows are meant: WHERE ...");
  }
  const connection = await connected();
  const output = await outputOf(options, io, isDataset ? [] : sources);
  if (isDataset) return ask(connection, query, resolve(first), output, options, io);
  const folder = await mkdtemp(join(tmpdir(), "moul-dissect-"));
  try {
    const { exportCommand } = await import("../dataset/run-export.js");
    const exported = await exportCommand(sources, { ...options, output: folder, quiet: true }, io);
    return Math.max(await ask(connection, query, folder, output, options, io), exported);
  } finally {
    connection.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

async function isFolder(path: string): Promise<boolean> {
  const found = await statOf(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

/** @throws UsageError if DuckDB is not installed */
async function connected(): Promise<DuckDBConnection> {
  try {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    return await (await DuckDBInstance.create()).connect();
  } catch {
    throw new UsageError("sql needs the package @duckdb/node-api: npm install @duckdb/node-api");
  }
}

async function ask(
  connection: DuckDBConnection,
  query: string,
  folder: string,
  output: TextOutput,
  options: SqlOptions,
  io: ProcessIo,
): Promise<number> {
  const views = await readFile(join(folder, VIEWS), "utf8");
  await connection.run(views.replaceAll("'./", () => `'${folder.replaceAll("'", "''")}/`));
  let rows: Record<string, Json>[];
  let names: string[];
  try {
    const reader = await connection.runAndReadAll(query);
    names = reader.deduplicatedColumnNames();
    const areWhole = reader.columnTypes().map((type) => WHOLE.test(String(type)));
    const plain = (row: Json[]) =>
      names.map((name, at) => [name, areWhole[at] ? numberOf(row[at]) : (row[at] ?? null)]);
    rows = reader.getRowsJson().map((row) => Object.fromEntries(plain(row)));
  } catch (error) {
    // DuckDB points at a place in the question, on lines of its own.
    io.stderr.write(`moul-dissect: ${printableLines(error instanceof Error ? error.message : String(error))}\n`);
    return ExitCode.usage;
  }
  if (options.json) for (const row of rows) output.write(`${safeJson(row)}\n`);
  else if (options.csv) output.write(csv(names, rows));
  else {
    const columns = names.map((title) => ({ title, cell: (row: Record<string, Json>) => textOf(row[title]) }));
    output.write(plainTable(rows, columns, (text) => text));
  }
  return finishPrinting(output, io);
}

/** Types of whole numbers, which DuckDB gives as texts, since they may be larger than a double can hold. */
const WHOLE = /^U?BIGINT$/;

/** A whole number as one, where a double can hold it. */
function numberOf(value: Json | undefined): Json {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : (value ?? null);
}

function csv(names: readonly string[], rows: readonly Record<string, Json>[]): string {
  const writer = new CellWriter("csv");
  const lines: string[] = [];
  for (const cells of [names, ...rows.map((row) => names.map((name) => textOf(row[name])))]) {
    writer.clear();
    for (const cell of cells) {
      writer.beginCell();
      writer.value(cell);
      writer.endCell();
    }
    writer.endLine();
    lines.push(writer.toString());
  }
  return lines.join("");
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
