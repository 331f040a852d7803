import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { counted } from "../../common/counted.js";
import { Tables } from "../../dataset/tables.js";
import type { Dissector, Message } from "../../index.js";
import { captureName, isReadOnce } from "../../platform/node/capture-file.js";
import { bytesAt, filesAt, givenFiles } from "../../platform/node/file-on-disk.js";
import { discoverKeys } from "../../platform/node/key-discovery.js";
import { parseDecodeAs } from "../../session/decode-as.js";
import { definitionEndings, readDefinitionFiles } from "../../session/files/definition-files.js";
import { readKeyFiles } from "../../session/files/key-files.js";
import { ExitCode } from "../exit-code.js";
import { fileSize } from "../file-size.js";
import { knownDissectors } from "../known-dissectors.js";
import { passing } from "../message-display.js";
import { limitsOf } from "../options/limit-option.js";
import { isInterpreting, type ProcessIo } from "../process-io.js";
import { dissectOptionsOf, type RunFiles, withoutPipes } from "../run/dissect-options.js";
import type { CaptureRunOptions } from "../run/options.js";
import { say, spoken } from "../say.js";
import { UsageError } from "../usage-error.js";
import { DatasetFolder, UnwritableDataset } from "./dataset-folder.js";
import { type ExportSettings, exportCapture, type RowThreadsStart, withoutFolders } from "./export-capture.js";
import type { Exported } from "./exported.js";
import { inProcesses } from "./jobs.js";
import { MOST_MESSAGES } from "./parts.js";

/** The options of the command, as the command line gives them. */
export interface ExportOptions extends CaptureRunOptions {
  readonly fields?: boolean;
  readonly jobs?: number;
  readonly threads?: number | undefined;
  readonly filter?: string;
  /** True if exporting is not what the user has asked for: that it went well is not said. */
  readonly isAside?: boolean;
}

/**
 * Exports captures, each on its own; returns the exit code.
 *
 * @param partMessages the most messages of a part
 */
export async function exportCommand(
  captures: readonly string[],
  options: ExportOptions,
  io: ProcessIo,
  partMessages = MOST_MESSAGES,
): Promise<number> {
  try {
    return await exportAll(captures, options, io, partMessages);
  } catch (error) {
    if (!(error instanceof UnwritableDataset)) throw error;
    say(io.stderr, error.message);
    return ExitCode.input;
  }
}

/** What the user has given for all captures, read or checked. */
interface Given {
  readonly keys: RunFiles["keys"] | undefined;
  readonly definitions: RunFiles["definitions"];
  /** The dissectors that were loaded, and all. */
  readonly loaded: readonly Dissector[];
  readonly all: readonly Dissector[];
  readonly filter: ((message: Message) => boolean) | undefined;
  readonly judgement: Judgement;
}

async function exportAll(
  captures: readonly string[],
  options: ExportOptions,
  io: ProcessIo,
  partMessages: number,
): Promise<number> {
  const { output = "", jobs = 1 } = options;
  await refuseReadOnce("export", captures);
  const given = await givenIn(options);
  const { keys = [], definitions, all, judgement } = given;
  for (const text of judgement.problems) say(io.stderr, text);
  const folder = new DatasetFolder(resolve(output));
  const tables = new Tables(all);
  folder.make();
  folder.prepare(tables.all);
  const program = process.argv[1];
  // Another process cannot read what has been read from a pipe.
  const areFiles = [...keys, ...definitions].every((file) => typeof file === "string");
  if (jobs > 1 && captures.length > 1 && areFiles && io.worker !== undefined && program !== undefined) {
    return exportInProcesses(program, captures, options, judgement, io);
  }
  let code: number = judgement.areUsable ? ExitCode.done : ExitCode.input;
  for (const path of captures) {
    const result = await exportOne(path, options, given, { folder, tables, partMessages }, io);
    for (const problem of result.problems) say(io.stderr, `${path}: ${problem}`);
    // What could not even be opened is among the problems.
    const isKnown = options.isAside === true || (result.outcome === "unreadable" && result.problems.length > 0);
    const remarks = result.remarks.filter((text) => !judgement.said.has(text));
    if (!isKnown) remarks.push(`${path}: ${saidOf(result)}`);
    if (options.quiet !== true) for (const text of remarks) say(io.stderr, text);
    code = Math.max(code, codeOf(result));
  }
  return code;
}

async function givenIn(options: ExportOptions): Promise<Given> {
  const { loaded, all } = await knownDissectors(options);
  const keys = options.keys && (await withoutPipes(options.keys));
  const definitions = await withoutPipes(options.sdl ?? []);
  for (const rule of options.decodeAs ?? []) parseDecodeAs(rule, all);
  const filter = options.filter === undefined ? undefined : await passing(options.filter, all);
  return { keys, definitions, loaded, all, filter, judgement: await judgementOn(keys ?? [], definitions, all) };
}

/** Exports captures in other processes; returns the exit code. @param program that is run in them */
async function exportInProcesses(
  program: string,
  captures: readonly string[],
  options: ExportOptions,
  { problems }: Judgement,
  io: ProcessIo,
): Promise<number> {
  const { jobs = 1 } = options;
  const threads = options.threads ?? (availableParallelism() >= 2 * jobs ? undefined : 1);
  const runs = captures.map((capture) => ["export", ...argumentsOf({ ...options, threads }), "--", capture]);
  // Each of the others says it, too.
  const known = new Set(problems.map(spoken));
  const heard = (line: string) => {
    if (!known.has(line)) io.stderr.write(`${line}\n`);
  };
  const codes = await inProcesses(program, runs, jobs, heard, (text) => say(io.stderr, text));
  return Math.max(ExitCode.done, ...codes);
}

/** Exports a capture in this process, with the keys that the user has given, or those beside it. */
async function exportOne(
  path: string,
  options: ExportOptions,
  given: Given,
  where: Pick<ExportSettings, "folder" | "tables" | "partMessages">,
  io: ProcessIo,
): Promise<Exported> {
  const { definitions, loaded, all, filter } = given;
  const keys = given.keys ?? (await discoverKeys([path], io.env));
  const contents = [...keys, ...(await contentsOf(definitions, all)), ...(options.dissector ?? [])];
  const files = { keys, definitions };
  const engine = dissectOptionsOf(options, files, loaded);
  return exportCapture(
    path,
    { ...engine, ...(filter && { filter }) },
    {
      ...where,
      settings: await settingsOf(options, contents),
      fields: options.fields === true,
      mostStays: limitsOf(options).countedKeys,
      threads: (capture) => threadsFor(capture, options, files, io),
      skims: !isInterpreting(io.env),
    },
  );
}

/** What is wrong with files that the user has named. */
interface Judgement {
  /** In sentences. */
  readonly problems: readonly string[];
  /** The same as they are in the remarks on a capture. */
  readonly said: ReadonlySet<string>;
  readonly areUsable: boolean;
}

/**
 * What is wrong with the key files and definition files that the user has named: it is said once, not for each capture,
 * and even where a capture is in the dataset already.
 */
async function judgementOn(
  keys: RunFiles["keys"],
  definitions: RunFiles["definitions"],
  all: readonly Dissector[],
): Promise<Judgement> {
  const keyFiles = await readKeyFiles(givenFiles(keys), all);
  const definitionFiles = await readDefinitionFiles(givenFiles(definitions), all, keyFiles.keys);
  const areUsable = keyFiles.complete && definitionFiles.complete;
  const problems = areUsable ? [] : [...keyFiles.remarks, ...definitionFiles.remarks];
  const short = withoutFolders([...keys, ...definitions].map((file) => (typeof file === "string" ? file : file.name)));
  return { problems, said: new Set(problems.map(short)), areUsable };
}

/** The definition files themselves, where folders of them are given. */
async function contentsOf(
  definitions: RunFiles["definitions"],
  all: readonly Dissector[],
): Promise<RunFiles["definitions"]> {
  const inFolders = definitions.map(async (file) =>
    typeof file === "string" ? filesAt([file], definitionEndings(all)) : [file],
  );
  return (await Promise.all(inFolders)).flat();
}

/** @throws UsageError if a capture cannot be read twice: for its digest, and for its rows */
export async function refuseReadOnce(command: string, captures: readonly string[]): Promise<void> {
  for (const capture of captures) {
    if (!(await isReadOnce(capture))) continue;
    const name = captureName(capture);
    throw new UsageError(`${command} reads a capture twice, which ${name} does not allow: save it to a file first`);
  }
}

/** Smaller captures take no less time with other threads, which first have to load the program and have it optimized. */
const WORTH_THREADS = 16 * 1024 * 1024;
/** One reads and dissects, and both make rows. Each more takes 80 MB. */
const USUAL_THREADS = 2;

/** The threads that make the rows of a capture beside this one, unless this one makes them. */
async function threadsFor(
  path: string,
  { threads, dissector = [], ...options }: ExportOptions,
  files: RunFiles,
  { worker }: ProcessIo,
): Promise<RowThreadsStart | undefined> {
  if (worker === undefined) return undefined;
  const isLarge = ((await fileSize(path)) ?? 0) >= WORTH_THREADS;
  const usual = isLarge && availableParallelism() > 1 && dissector.length === 0 ? USUAL_THREADS : 1;
  const count = (threads ?? usual) - 1;
  if (count < 1) return undefined;
  return {
    count,
    module: new URL("dataset/row-worker.js", worker),
    task: { options: { ...options, dissector }, files },
  };
}

function saidOf({ outcome, messages }: Exported): string {
  return outcome === "skipped" ? "is in the dataset already" : `${counted(messages, "message")} exported`;
}

function codeOf({ outcome }: Exported): number {
  if (outcome === "failed") return ExitCode.internal;
  return outcome === "whole" || outcome === "skipped" ? ExitCode.done : ExitCode.input;
}

/** The digest of what the rows of a capture depend on, besides the capture and the version of this program. */
async function settingsOf(options: ExportOptions, files: RunFiles["keys"]): Promise<string> {
  const { decodeAs = [], keepDuplicates = false, limit = {}, fields = false, sdlKey = "", filter } = options;
  const hash = createHash("sha256").update(JSON.stringify({ decodeAs, keepDuplicates, limit, fields, sdlKey, filter }));
  for (const file of files) {
    hash.update(typeof file === "string" ? await bytesAt(file).catch(() => new Uint8Array()) : file.bytes);
  }
  return hash.digest("hex").slice(0, 16);
}

/** The arguments with which another process does the same. */
function argumentsOf(options: ExportOptions): string[] {
  const { keys = [], sdl = [], dissector = [], decodeAs = [], limit = {}, sdlKey, filter } = options;
  const repeated = (name: string, values: readonly string[]) => values.flatMap((value) => [name, value]);
  return [
    ...repeated("--keys", keys),
    ...repeated("--sdl", sdl),
    ...repeated("--dissector", dissector),
    ...repeated("-d", decodeAs),
    ...repeated(
      "--limit",
      Object.entries(limit).map(([name, value]) => `${name}=${value}`),
    ),
    ...(sdlKey === undefined ? [] : ["--sdl-key", sdlKey]),
    ...(filter === undefined ? [] : ["--filter", filter]),
    ...(options.threads === undefined ? [] : ["--threads", String(options.threads)]),
    ...(options.keepDuplicates === true ? ["--keep-duplicates"] : []),
    ...(options.fields === true ? ["--fields"] : []),
    ...(options.quiet === true ? ["--quiet"] : []),
    "-o",
    options.output ?? "",
  ];
}
