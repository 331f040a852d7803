import { CountingTrace } from "../../parallel/shares/counting-trace.js";
import { MergedCounts } from "../../parallel/shares/merged-counts.js";
import { ShareThreads } from "../../parallel/shares/share-threads.js";
import type { ProtocolSum, Statistics, TallySums, Traffic } from "../../stats/index.js";
import { limitsOf } from "../options/limit-option.js";
import type { CaptureRun } from "../run/capture-run.js";
import { type DividingOptions, dividingOf } from "./dividing.js";

/** The options that a thread needs which counts. */
export interface CountingOptions extends DividingOptions {
  readonly filter?: string;
}

/** Where what is counted goes. */
interface Counts {
  readonly statistics: Statistics;
  readonly traffic: Traffic;
}

/** Several threads, and how much of each capture they read. */
export interface DividedCounting {
  readonly threads: ShareThreads<TallySums, readonly ProtocolSum[]>;
  readonly lengths: readonly number[];
}

/** Starts threads among which the conversations are divided, where they are of use. */
export async function dividedCounting(
  run: CaptureRun,
  options: CountingOptions,
  captures: readonly string[],
  { statistics, traffic }: Counts,
): Promise<DividedCounting | undefined> {
  const { worker } = run.prepared.io;
  const dividing = worker && (await dividingOf(run, options, captures));
  if (dividing === undefined) return undefined;
  if (typeof dividing === "string") {
    remarkOnThreads(run, options, dividing);
    return undefined;
  }
  const { count, setup } = dividing;
  const limits = limitsOf(options);
  const threads = new ShareThreads<TallySums, readonly ProtocolSum[]>(count, {
    module: new URL("dividing/counting-worker.js", worker),
    setup,
    limits,
    newWriter: (order, full) => new CountingTrace(order, limits, full),
    merge: (client) => new MergedCounts(count, limits, statistics, client),
    ended: (sums) => {
      for (const sum of sums) traffic.add(sum);
    },
  });
  return { threads, lengths: setup.lengths };
}

/** Says why the threads that the user has asked for are not used. */
export function remarkOnThreads(run: CaptureRun, { threads }: CountingOptions, why: string): void {
  if (threads !== undefined) run.remark(`--threads ${threads}: counting with one thread, because ${why}`);
}
