import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isReadOnce, STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { statOf, systemPath } from "../../platform/node/system-path.js";
import { encodingOf } from "../lines.js";
import { UsageError } from "../usage-error.js";

/** A capture, and what it is compared with. */
export interface RecordedSession {
  readonly capture: string;
  readonly expectation: string;
}

/** The names of captures in a folder, including compressed ones. */
const CAPTURE_FILE = /\.pcap(ng)?(\.gz|\.zst|\.lz4)?$/i;

/**
 * Returns the sessions that a list of captures and folders of captures stands for.
 *
 * @param expectation what a single capture is compared with; without it, each has a file beside it
 * @throws UsageError if there are none, or several for one expectation
 */
export async function sessionsOf(
  paths: readonly string[],
  expectation: string | undefined,
): Promise<RecordedSession[]> {
  const captures: string[] = [];
  for (const path of paths) {
    const inFolder = await capturesIn(path);
    if (inFolder?.length === 0)
      throw new UsageError(`${path}: there are no captures (*.pcap, *.pcapng) in this folder`);
    captures.push(...(inFolder ?? [path]));
  }
  if (expectation !== undefined) {
    const [capture = "", ...others] = captures;
    if (others.length > 0) {
      throw new UsageError(
        "--expect takes one capture; with several, each is checked against the expectation beside it",
      );
    }
    if (capture === STANDARD_INPUT && expectation === STANDARD_INPUT) {
      throw new UsageError("the capture and --expect cannot both be standard input");
    }
    return [{ capture, expectation }];
  }
  return captures.map((capture) => {
    if (capture === STANDARD_INPUT) throw new UsageError("standard input needs --expect: there is no file beside it");
    // For session.pcap, it is session.expected.jsonl.
    return { capture, expectation: `${capture.replace(CAPTURE_FILE, "")}.expected.jsonl` };
  });
}

/** The captures in a folder, but not in its subfolders, sorted by name; undefined if it is not a folder. */
async function capturesIn(path: string): Promise<string[] | undefined> {
  if (path === STANDARD_INPUT) return undefined;
  try {
    const entries = await readdir(await systemPath(path), { withFileTypes: true });
    const names = entries.filter((entry) => !entry.isDirectory() && CAPTURE_FILE.test(entry.name));
    return names.map(({ name }) => join(path, name)).sort();
  } catch {
    // A file, or nothing at all: reading it will show.
    return undefined;
  }
}

/** What an expectation is: lines of JSON, a capture, or missing. */
export type ExpectationKind = "lines" | "capture" | "absent";

const FIRST_BYTES = 256;

/**
 * Detects the kind of an expectation by its content. An empty file expects no messages. Input that can be read only
 * once, such as the output of jq, is taken for lines.
 */
export async function kindOf(path: string): Promise<ExpectationKind> {
  if (await isReadOnce(path)) return "lines";
  const facts = await statOf(path).catch(() => undefined);
  if (facts === undefined) return "absent";
  // Reading a folder reports what is wrong with it.
  if (!facts.isFile()) return "capture";
  const file = await systemPath(path)
    .then(open)
    .catch(() => undefined);
  // Reading it reports why.
  if (file === undefined) return "lines";
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    return /^\ufeff?\s*([[{]|$)/.test(buffer.toString(encodingOf(buffer), 0, bytesRead)) ? "lines" : "capture";
  } finally {
    await file.close();
  }
}
