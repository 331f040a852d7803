import { existsSync, rmSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { DuckDBConnection, DuckDBPreparedStatement, Json } from "@duckdb/node-api";
import { rowLines } from "../../output/tables/row-lines.js";
import { CellWriter } from "../../output/writers/cell-writer.js";
import { safeJson } from "../../output/writers/sanitise.js";
import { statOf } from "../../platform/node/system-path.js";
import type { CommandLine } from "../command-line.js";
import type { ExportOptions } from "../dataset/run-export.js";
import { ExitCode } from "../exit-code.js";
import { addFileOptions, addReadingOptions, filterOption, jsonOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { interruptible, undoneAtEnd } from "../run/interrupt.js";
import { printableLines } from "../say.js";
import { UsageError } from "../usage-error.js";
import { finishPrinting, outputOf } from "../writing/printing.js";
import type { TextOutput } from "../writing/text-output.js";

const VIEWS = "views.sql";

const EPILOGUE = `
The tables are those of export; docs/data.md has their columns, and questions to ask. This needs the package
@duckdb/node-api, which is not installed with this one: npm install @duckdb/node-api, with -g if this one was installed so.

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
      end(await interruptible(() => sqlCommand(query, sources, options, io)));
    });
}

async function sqlCommand(
  query: string,
  sources: readonly string[],
  options: SqlOptions,
  io: ProcessIo,
): Promise<number> {
  if (options.json && options.csv) throw new UsageError("--json and --csv contradict each other");
  if (/^[\s;]*$/.test(query)) throw new UsageError("sql needs a question that is not empty: SELECT ...");
  const { exportCommand, refuseReadOnce } = await import("../dataset/run-export.js");
  await refuseReadOnce("sql", sources);
  const dataset = await datasetAmong(sources);
  if (dataset !== undefined) refuseForDataset(options);
  const connection = await connected();
  const output = await outputOf(options, io, dataset === undefined ? sources : []);
  try {
    const answered = (folder: string) => ask(connection, query, folder, output, options, io);
    if (dataset !== undefined) return await underPlainPath(resolve(dataset), answered);
    return await inFolderOfItsOwn([tmpdir()], async (folder) => {
      const exported = await exportCommand(sources, { ...options, output: folder, isAside: true }, io);
      return Math.max(await underPlainPath(folder, answered), exported);
    });
  } finally {
    connection.closeSync();
  }
}

/** What DuckDB takes for something else in a path: for a pattern, or for the value of a column (`date=2026-11-20`). */
const MISTAKEN = process.platform === "win32" ? /[[*?=]/ : /[[*?=\\]/;

/** Does something with a folder, under a path that DuckDB takes for nothing else. */
async function underPlainPath<Result>(place: string, work: (folder: string) => Promise<Result>): Promise<Result> {
  if (!MISTAKEN.test(place)) return work(place);
  // That for temporary files may be such a path itself.
  const shared = process.platform === "win32" ? [] : ["/tmp", "/var/tmp"];
  const plain = [tmpdir(), ...shared, homedir(), process.cwd()].filter((folder) => !MISTAKEN.test(folder));
  return inFolderOfItsOwn(plain, async (folder) => {
    const link = join(folder, "dataset");
    await symlink(resolve(place), link, "junction");
    return work(link);
  });
}

/**
 * Does something with a temporary folder. It has what was said, and more, in the clear: nothing of it stays.
 *
 * @param parents where it may be: in the first of them that can be written to
 */
async function inFolderOfItsOwn<Result>(
  parents: readonly string[],
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await temporaryFolderIn(parents);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return undoneAtEnd(remove, () => work(folder).finally(() => rm(folder, { recursive: true, force: true })));
}

async function temporaryFolderIn(parents: readonly string[]): Promise<string> {
  for (const parent of parents.slice(0, -1)) {
    const made = await mkdtemp(join(parent, "moul-dissect-")).catch(() => undefined);
    if (made !== undefined) return made;
  }
  const [last] = parents.slice(-1);
  if (last === undefined)
    throw new UsageError(
      `sql cannot work with temporary files in ${tmpdir()}: set TMPDIR to a folder without = in its path`,
    );
  return mkdtemp(join(last, "moul-dissect-"));
}

/**
 * The dataset that is asked; undefined if captures are.
 *
 * @throws UsageError if a folder is no dataset, or a dataset is not alone
 */
async function datasetAmong(sources: readonly string[]): Promise<string | undefined> {
  let dataset: string | undefined;
  for (const source of sources) {
    if (!(await isFolder(source))) continue;
    if (!existsSync(join(source, VIEWS))) {
      throw new UsageError(`${source} is a folder, but no dataset: export makes one of captures`);
    }
    dataset = source;
  }
  if (dataset !== undefined && sources.length > 1) {
    throw new UsageError(`${dataset} is a dataset, which is asked alone: name one dataset, or captures`);
  }
  return dataset;
}

/** @throws UsageError if an option says what to make of captures: a dataset is what was made of them */
function refuseForDataset({ filter, fields, keys, sdl, sdlKey, decodeAs }: SqlOptions): void {
  for (const [flag, value] of Object.entries({ "--keys": keys, "--sdl": sdl, "--sdl-key": sdlKey, "-d": decodeAs })) {
    if (value !== undefined) throw new UsageError(`${flag} is for captures; a dataset has what export read with it`);
  }
  if (filter !== undefined) {
    throw new UsageError("-Y is for captures; what is asked of a dataset says which rows are meant: WHERE ...");
  }
  if (fields === true) {
    throw new UsageError("--fields is for captures; a dataset has that table if export --fields made it");
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
    throw new UsageError(
      "sql needs the package @duckdb/node-api beside this one: npm install @duckdb/node-api, with -g if this one was installed so",
    );
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
  const answers: Answer[] = [];
  try {
    const statements = await connection.extractStatements(query);
    for (let at = 0; at < statements.count; at++) {
      const answer = await answerTo(await statements.prepare(at));
      if (answer !== undefined) answers.push(answer);
    }
  } catch (error) {
    // DuckDB points at a place in the question, on lines of its own.
    const text = error instanceof Error ? error.message : String(error);
    io.stderr.write(`moul-dissect: ${printableLines(text.replace(EXTRACTING, ""))}\n`);
    return ExitCode.usage;
  }
  for (const [index, answer] of answers.entries()) {
    if (index > 0 && options.json !== true) output.write("\n");
    for (const text of textsOf(answer, options)) {
      output.write(text);
      if (output.isFull) await output.drained();
    }
  }
  return finishPrinting(output, io);
}

/** What is printed of an answer. */
function* textsOf({ names, rows }: Answer, { json, csv }: SqlOptions): Generator<string> {
  if (json) {
    for (const row of rows) yield `${safeJson(Object.fromEntries(names.map((name, at) => [name, row[at]])))}\n`;
  } else if (csv) yield* csvLines(names, rows);
  else {
    const texts = rows.map((row) => row.map(textOf));
    yield* rowLines(names, texts);
  }
}

/** What the package says before the words of DuckDB. */
const EXTRACTING = /^Failed to extract statements: /;

/** The rows that a statement gives, and the names of their columns. */
interface Answer {
  readonly names: readonly string[];
  readonly rows: readonly (readonly Json[])[];
}

/** Runs a statement; undefined for one that is no question, as CREATE or what DuckDB runs before a PIVOT. */
async function answerTo(statement: DuckDBPreparedStatement): Promise<Answer | undefined> {
  const { ResultReturnType } = await import("@duckdb/node-api");
  const reader = await statement.runAndReadAll();
  if (reader.returnType !== ResultReturnType.QUERY_RESULT) return undefined;
  const areWhole = reader.columnTypes().map((type) => WHOLE.test(String(type)));
  const plain = (row: readonly Json[]) => row.map((value, at) => (areWhole[at] ? numberOf(value) : (value ?? null)));
  return { names: reader.deduplicatedColumnNames(), rows: reader.getRowsJson().map(plain) };
}

/** Types of whole numbers, which DuckDB gives as texts, since they may be larger than a double can hold. */
const WHOLE = /^U?(BIG|HUGE)INT$/;

/** A whole number as one, where a double can hold it. */
function numberOf(value: Json | undefined): Json {
  const number = Number(value ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : (value ?? null);
}

function* csvLines(names: readonly string[], rows: Answer["rows"]): Generator<string> {
  const writer = new CellWriter("csv");
  for (const cells of [names, ...rows]) {
    writer.clear();
    for (const cell of cells) {
      writer.beginCell();
      writer.value(textOf(cell));
      writer.endCell();
    }
    writer.endLine();
    yield writer.toString();
  }
}

function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
