import { availableParallelism } from "node:os";
import { ShareThreads } from "../../parallel/shares/share-threads.js";
import type { Statistics, Traffic } from "../../stats/index.js";
import { fileSizes } from "../file-size.js";
import { limitsOf } from "../options/limit-option.js";
import type { CaptureRun } from "../run/capture-run.js";
import type { CountingSetup } from "./setup.js";

/**
 * Smaller captures take hardly less time with another thread, which reads everything, too, and has to load the program and
 * have it optimized.
 */
const WORTH_THREADS = 512 * 1024 * 1024;
/** Used unless the user asks for more. */
const USUAL_THREADS = 2;

/** The options that decide whether captures are counted by several threads. */
type CountingOptions = CountingSetup["options"] & { readonly threads?: number };

/** Where what is counted goes. */
interface Counts {
  readonly statistics: Statistics;
  readonly traffic: Traffic;
}

/** Several threads, and how much of each capture they read. */
export interface DividedCounting {
  readonly threads: ShareThreads;
  readonly lengths: readonly number[];
}

/** Starts threads among which the conversations are divided, where they are of use. */
export async function dividedCounting(
  run: CaptureRun,
  options: CountingOptions,
  captures: readonly string[],
  { statistics, traffic }: Counts,
): Promise<DividedCounting | undefined> {
  const { files, loaded, io } = run.prepared;
  const lengths = await fileSizes(captures);
  const size = lengths?.reduce((sum, one) => sum + one, 0) ?? 0;
  const usual = size < WORTH_THREADS ? 1 : Math.min(USUAL_THREADS, availableParallelism());
  const count = options.threads ?? usual;
  if (count < 2 || io.worker === undefined) return undefined;
  if (lengths === undefined || loaded.length > 0) {
    const why = loaded.length > 0 ? "a dissector is not built in" : "a capture can be read only once";
    remarkOnThreads(run, options, why);
    return undefined;
  }
  const setup: CountingSetup = { options, files, captures, lengths };
  const threads = new ShareThreads(count, {
    module: new URL("counting/share-worker.js", io.worker),
    setup,
    limits: limitsOf(options),
    statistics,
    addTraffic: (sum) => traffic.add(sum),
  });
  return { threads, lengths };
}

/** Says why the threads that the user has asked for are not used. */
export function remarkOnThreads(run: CaptureRun, { threads }: CountingOptions, why: string): void {
  if (threads !== undefined) run.remark(`--threads ${threads}: counting with one thread, because ${why}`);
}
