import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { CaptureRows } from "../../dataset/capture-rows.js";
import { instantOf } from "../../dataset/message-row.js";
import { MessageRows } from "../../dataset/message-rows.js";
import { DATASET_SCHEMA, type Row } from "../../dataset/table.js";
import type { TableRows } from "../../dataset/table-rows.js";
import type { Tables } from "../../dataset/tables.js";
import type { EngineOptions, InternalError, Message } from "../../engine.js";
import { passMessages } from "../../library/dissect.js";
import { captureAt } from "../../platform/node/capture-file.js";
import { whyUnreadable } from "../../platform/node/file-error.js";
import { statOf, systemPath } from "../../platform/node/system-path.js";
import type { NetworkObserver } from "../../session/observer.js";
import type { RecognisedConversation } from "../../session/recognised-conversation.js";
import { StreamRecorder } from "../../stats/index.js";
import { undoneAtEnd } from "../run/interrupt.js";
import { application } from "../version.js";
import { CaptureFiles, type DatasetFolder } from "./dataset-folder.js";
import { type Exported, ExportFindings } from "./exported.js";
import { GROUPS } from "./groups.js";
import { type RowGroup, rowGroupOf } from "./row-group.js";
import { OwnRows, type RowMaker } from "./row-maker.js";
import type { RowTask } from "./row-order.js";
import { RowThreads } from "./row-threads.js";

/** How many digits of a SHA-256 tell captures apart. */
const DIGITS = 16;

/** A capture and the digest of its bytes, by which rows name it. */
interface ExportedCapture {
  readonly path: string;
  readonly digest: string;
}

/** What is the same for all captures of a run. */
export interface ExportSettings {
  readonly folder: DatasetFolder;
  readonly tables: Tables;
  /** True for the table `fields`. */
  readonly fields: boolean;
  /** The most stays of players that are told apart. */
  readonly mostStays: number;
  /** The digest of what rows depend on besides: keys, definitions, options. */
  readonly settings: string;
  /** The most messages of a part, whose rows are written together. */
  readonly partMessages: number;
  /** Threads that make rows beside this one. */
  readonly threads: (path: string) => Promise<RowThreadsStart | undefined>;
  /** True if each message is skimmed before another thread decodes it. */
  readonly skims: boolean;
}

/** How to start threads that make rows. */
export interface RowThreadsStart {
  readonly count: number;
  readonly module: URL;
  readonly task: Pick<RowTask, "options" | "files">;
}

/**
 * Exports a capture, unless that was done before. Does not throw for what is wrong with the capture.
 *
 * @throws UnwritableDataset
 */
export async function exportCapture(path: string, options: EngineOptions, common: ExportSettings): Promise<Exported> {
  const { folder, settings } = common;
  let digest: string;
  try {
    digest = await digestOf(path);
  } catch (error) {
    return unreadable(path, whyUnreadable(error), common);
  }
  const version = `${application} ${DATASET_SCHEMA} ${settings}`;
  if (await folder.has(digest, version)) return { outcome: "skipped", messages: 0, problems: [], remarks: [] };
  const files = new CaptureFiles(folder, digest, { schema: DATASET_SCHEMA, settings: version });
  const abandon = () => files.abandon();
  try {
    return await undoneAtEnd(abandon, () => exportTo(files, { path, digest }, options, common));
  } catch (error) {
    abandon();
    throw error;
  }
}

/** Writes the rows of a capture to its files. */
async function exportTo(
  files: CaptureFiles,
  { path, digest }: ExportedCapture,
  options: EngineOptions,
  common: ExportSettings,
): Promise<Exported> {
  const findings = new ExportFindings();
  const capture = captureRows(digest, files, common);
  const rows = await rowMaker({ path, digest }, files, common, findings.onInternalError);
  try {
    const hooks = {
      ...options,
      ...rows.hooks,
      skims: common.skims && (rows.hooks.skims ?? false),
      network: networkOf(capture, rows, findings),
      onProblem: findings.onProblem,
      onInternalError: findings.onInternalError,
    };
    const take = (message: Message) => {
      capture.message(message);
      rows.message(message);
    };
    const end = await passMessages([captureAt(path)], hooks, take, async () => {
      files.check();
      await rows.caughtUp();
      return true;
    });
    await rows.finish();
    const { problems } = findings;
    const outcome = findings.outcome(end);
    const named = withoutFolders([path, ...namesOf(options.keys), ...namesOf(options.definitions)]);
    const remarks = [...findings.otherRemarks(end).map(named), ...capture.remarks];
    const { size } = await statOf(path);
    capture.end(captureFacts(path, size, outcome, { problems, remarks, settings: common.settings }));
    files.end(dayOf(findings.first ?? 0));
    return { outcome, messages: capture.messages, problems, remarks };
  } finally {
    await rows.stop();
  }
}

/** Notes when a capture begins, and passes on its conversations. */
function networkOf(capture: CaptureRows, rows: RowMaker, findings: ExportFindings): NetworkObserver {
  const recorder = new StreamRecorder({ mostGaps: 0 }, (facts) => capture.conversation(facts));
  return {
    began: (origin) => findings.began(instantOf(origin)),
    opened: (conversation) => {
      const recorded = recorder.opened(conversation);
      const recognised = recorded.recognised?.bind(recorded);
      return Object.assign(recorded, {
        recognised: (session: RecognisedConversation) => {
          recognised?.(session);
          rows.recognised(session);
        },
      });
    },
  };
}

/** What makes the rows of the messages of a capture. */
async function rowMaker(
  { path, digest }: ExportedCapture,
  files: CaptureFiles,
  { tables, fields, partMessages, threads }: ExportSettings,
  onInternalError: (failure: InternalError) => void,
): Promise<RowMaker> {
  const write = (group: RowGroup) => files.write(tables.named(group.table), group);
  const rowsTo = (sink: (group: RowGroup) => void) =>
    new MessageRows(digest, tables, { fields, ...GROUPS }, (rows) => sink(rowGroupOf(rows)));
  const start = await threads(path);
  if (start === undefined) return new OwnRows(rowsTo(write), partMessages);
  const { count, module, task } = start;
  const work = { module, task: { ...task, capture: digest, fields }, partMessages, rowsTo, write, onInternalError };
  return new RowThreads(count, work);
}

function captureRows(digest: string, files: CaptureFiles, { mostStays }: ExportSettings): CaptureRows {
  const write = (rows: TableRows) => files.write(rows.table, rowGroupOf(rows));
  return new CaptureRows(digest, { mostStays, groupRows: GROUPS.groupRows }, write);
}

function namesOf(files: EngineOptions["keys"] = []): string[] {
  return files.map(({ name }) => name);
}

/** Makes the names of files in a text as short as they can be: where they lie says nothing about a capture. */
export function withoutFolders(paths: readonly string[]): (text: string) => string {
  return (text) => paths.reduce((shorter, path) => shorter.replaceAll(path, basename(path)), text);
}

/** A capture that cannot be opened has a row as well. */
function unreadable(path: string, why: string, common: ExportSettings): Exported {
  const { folder, settings } = common;
  const digest = createHash("sha256").update(`unreadable ${path}`).digest("hex").slice(0, DIGITS);
  const files = new CaptureFiles(folder, digest, { schema: DATASET_SCHEMA });
  const capture = captureRows(digest, files, common);
  capture.end(captureFacts(path, 0, "unreadable", { problems: [why], remarks: [], settings }));
  files.end(dayOf(0));
  return { outcome: "unreadable", messages: 0, problems: [why], remarks: [] };
}

function captureFacts(
  path: string,
  bytes: number,
  outcome: Exported["outcome"],
  { problems, remarks, settings }: Pick<Exported, "problems" | "remarks"> & { readonly settings: string },
): Row {
  return {
    name: basename(path),
    bytes,
    outcome,
    program: application,
    schema: DATASET_SCHEMA,
    options: settings,
    problems,
    remarks,
  };
}

/** The SHA-256 of a file, shortened. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(await systemPath(path))) hash.update(chunk);
  return hash.digest("hex").slice(0, DIGITS);
}

/** The day of a time in microseconds since 1970, in UTC. */
function dayOf(microseconds: number): string {
  const milliseconds = Math.floor(microseconds / 1000);
  return Number.isNaN(new Date(milliseconds).getTime()) ? "1970-01-01" : dateText(milliseconds);
}

function dateText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().split("T")[0] ?? "1970-01-01";
}
