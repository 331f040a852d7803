import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { CaptureRows, type DatasetOptions, type Tables } from "../../dataset/dataset.js";
import { instantOf } from "../../dataset/message-row.js";
import { DATASET_SCHEMA, type Row } from "../../dataset/table.js";
import { dissectCaptures, type EngineOptions } from "../../engine.js";
import { captureAt } from "../../platform/node/capture-file.js";
import { whyUnreadable } from "../../platform/node/file-error.js";
import { statOf, systemPath } from "../../platform/node/system-path.js";
import { StreamRecorder } from "../../stats/index.js";
import { application } from "../version.js";
import { CaptureFiles, type DatasetFolder } from "./dataset-folder.js";

/** How many digits of a SHA-256 tell captures apart. */
const DIGITS = 16;

/** What became of a capture. */
export interface Exported {
  readonly outcome: "whole" | "partial" | "unreadable" | "failed" | "skipped";
  readonly messages: number;
  /** What is wrong with it, in sentences. */
  readonly problems: readonly string[];
  readonly remarks: readonly string[];
}

/** What is the same for all captures of a run. */
export interface ExportSettings {
  readonly folder: DatasetFolder;
  readonly tables: Tables;
  readonly rows: DatasetOptions;
  /** The digest of what rows depend on besides: keys, definitions, options. */
  readonly settings: string;
}

/** Exports a capture, unless that was done before. Does not throw for what is wrong with the capture. */
export async function exportCapture(path: string, options: EngineOptions, common: ExportSettings): Promise<Exported> {
  const { folder, tables, rows, settings } = common;
  let digest: string;
  try {
    digest = await digestOf(path);
  } catch (error) {
    return unreadable(path, whyUnreadable(error), common);
  }
  const version = `${application} ${DATASET_SCHEMA} ${settings}`;
  if (await folder.has(digest, version)) return { outcome: "skipped", messages: 0, problems: [], remarks: [] };
  const files = new CaptureFiles(folder, digest, { schema: DATASET_SCHEMA, settings: version });
  try {
    const capture = new CaptureRows(digest, tables, rows, (rows) => files.write(rows));
    const problems: string[] = [];
    const texts: string[] = [];
    let first: number | undefined;
    let internal = false;
    const recorder = new StreamRecorder({ mostGaps: 0 }, (facts) => capture.conversation(facts));
    const end = await dissectCaptures(
      [captureAt(path)],
      {
        ...options,
        network: {
          began: (origin) => {
            first ??= instantOf(origin);
          },
          opened: (conversation) => recorder.opened(conversation),
        },
        onProblem: ({ text, frame }) => {
          texts.push(text);
          problems.push(frame > 0 ? `${text} (frame ${frame})` : text);
        },
        onInternalError: ({ error }) => {
          internal = true;
          problems.push(`internal error: ${String(error)}`);
        },
      },
      (message) => capture.message(message),
    );
    const [read = "unreadable"] = end.captures;
    const outcome = internal ? "failed" : read === "stopped" ? "partial" : read;
    const named = withoutFolders([path, ...namesOf(options.keys), ...namesOf(options.definitions)]);
    const said = end.remarks.filter((remark) => !texts.some((text) => remark.includes(text))).map(named);
    const remarks = [...said, ...capture.remarks];
    const { size } = await statOf(path);
    capture.end(captureFacts(path, size, outcome, { problems, remarks, settings }));
    files.end(dayOf(first ?? 0));
    return { outcome, messages: capture.messages, problems, remarks };
  } catch (error) {
    files.abandon();
    throw error;
  }
}

function namesOf(files: EngineOptions["keys"] = []): string[] {
  return files.map(({ name }) => name);
}

/** Makes the names of files in a text as short as they can be: where they lie says nothing about a capture. */
function withoutFolders(paths: readonly string[]): (text: string) => string {
  return (text) => paths.reduce((shorter, path) => shorter.replaceAll(path, basename(path)), text);
}

/** A capture that cannot be opened has a row as well. */
function unreadable(path: string, why: string, { folder, tables, rows, settings }: ExportSettings): Exported {
  const digest = createHash("sha256").update(`unreadable ${path}`).digest("hex").slice(0, DIGITS);
  const files = new CaptureFiles(folder, digest, { schema: DATASET_SCHEMA });
  const capture = new CaptureRows(digest, tables, rows, (rows) => files.write(rows));
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
