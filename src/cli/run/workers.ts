import { availableParallelism } from "node:os";
import type { Workers } from "../../parallel/workers.js";
import { fileSizes } from "../file-size.js";
import type { DisplayOptions } from "../message-display.js";
import { type Format, formatOf } from "../options/format.js";
import type { ProcessIo } from "../process-io.js";
import type { CaptureRun } from "./capture-run.js";
import type { RunFiles } from "./dissect-options.js";
import type { CaptureRunOptions } from "./options.js";

/**
 * Smaller captures take no less time with a worker, which first has to load the program and have it optimized. Handing over
 * a message takes about as long as printing its summary.
 */
const WORTH_WORKER = { summary: 256 * 1024 * 1024, other: 16 * 1024 * 1024 };
/** Used unless the user asks for more. Printing JSON takes twice as long as dissecting, other lines no longer. */
const USUAL_THREADS = { json: 3, other: 2 };

/** The options that a worker needs. */
interface SharedOptions extends CaptureRunOptions, DisplayOptions {}

/** What a worker has to know before it begins. */
export interface WorkerSetup {
  readonly options: SharedOptions;
  readonly files: RunFiles;
}

/** The options that decide whether there are workers. */
interface WorkerOptions extends SharedOptions {
  readonly count?: number;
  readonly threads?: number;
}

/** Starts threads that print as well, where they are of use. */
export async function workersFor(
  run: CaptureRun,
  options: WorkerOptions,
  isForPeople: boolean,
  { worker }: ProcessIo,
): Promise<Workers | undefined> {
  if (worker === undefined) return undefined;
  // Handing over a message takes about as long as printing its columns, and a few messages are printed soon.
  const isShort = formatOf(options) === "fields" || options.count !== undefined;
  const threads = options.threads ?? (isShort ? 1 : undefined);
  const reason = whyAlone(options, isForPeople);
  if (reason !== undefined) {
    if (threads !== undefined && threads > 1) {
      run.remark(`--threads ${threads}: printing with one thread, because ${reason}`);
    }
    return undefined;
  }
  const { output, onInternalError } = run;
  const { captures, files } = run.prepared;
  const count = (threads ?? (await usualThreads(captures, formatOf(options)))) - 1;
  const setup: WorkerSetup = { options, files };
  if (count < 1) return undefined;
  const { Workers } = await import("../../parallel/workers.js");
  return new Workers(count, { module: worker, setup, output, onInternalError });
}

/** How many threads print captures of this size, unless the user asks for others. */
async function usualThreads(captures: readonly string[], format: Format): Promise<number> {
  const isJson = format === "json" || format === "json-tree";
  const most = Math.min(isJson ? USUAL_THREADS.json : USUAL_THREADS.other, availableParallelism());
  if (most < 2) return 1;
  const lengths = (await fileSizes(captures)) ?? [];
  const worth = format === "summary" ? WORTH_WORKER.summary : WORTH_WORKER.other;
  return lengths.reduce((sum, one) => sum + one, 0) < worth ? 1 : most;
}

/** Why one thread has to print everything; undefined if each line depends only on its message. */
function whyAlone({ time = "absolute" }: WorkerOptions, isForPeople: boolean): string | undefined {
  if (time === "delta") return `with --time ${time} a line depends on the ones before it`;
  return isForPeople ? "the output goes to a terminal, or has colours" : undefined;
}
