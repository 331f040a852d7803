import { availableParallelism } from "node:os";
import { fileSizes } from "../file-size.js";
import { MOST_THREADS } from "../options/shared.js";
import type { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import type { DividedSetup } from "./setup.js";

/**
 * Smaller captures take hardly less time with another thread, which reads everything, too, and has to load the program and
 * have it optimized.
 */
const WORTH_THREADS = 256 * 1024 * 1024;

/** The options that decide whether several threads divide the conversations. */
export interface DividingOptions extends CaptureRunOptions {
  readonly threads?: number;
}

/** How the conversations of a run are divided. */
export interface Dividing<Options extends CaptureRunOptions> {
  /** How many threads there are, with this one. */
  readonly count: number;
  readonly setup: DividedSetup<Options>;
}

/**
 * Works out how many threads divide the conversations among them: one for each core, unless the user asks for others.
 *
 * @returns why it cannot be done, to follow "because"; undefined if one thread is enough
 */
export async function dividingOf<Options extends DividingOptions>(
  run: CaptureRun,
  options: Options,
  captures: readonly string[],
): Promise<Dividing<Options> | string | undefined> {
  const { files, loaded } = run.prepared;
  const lengths = await fileSizes(captures);
  const size = lengths?.reduce((sum, one) => sum + one, 0) ?? 0;
  const usual = size < WORTH_THREADS ? 1 : Math.min(MOST_THREADS, availableParallelism());
  const count = options.threads ?? usual;
  if (count < 2) return undefined;
  if (loaded.length > 0) return "a dissector is not built in";
  if (lengths === undefined) return "a capture can be read only once";
  return { count, setup: { options, files, captures, lengths } };
}
