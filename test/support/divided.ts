import type { CaptureSource } from "../../src/capture/source.js";
import { defaultLimits } from "../../src/limits.js";
import type { Origin } from "../../src/network/conversation.js";
import { statsJson } from "../../src/output/statistics/stats-json.js";
import { CountingTrace } from "../../src/parallel/shares/counting-trace.js";
import { MergedCounts } from "../../src/parallel/shares/merged-counts.js";
import { ShareOfThread } from "../../src/parallel/shares/share-of-thread.js";
import type { EngineOptions } from "../../src/pipeline/options.js";
import { runCaptures } from "../../src/pipeline/run.js";
import { type Exchange, Statistics, type TallySums, Traffic } from "../../src/stats/index.js";

/** What was counted, and in which order. */
export interface Counted {
  readonly order: readonly string[];
  readonly statistics: string;
}

/** Statistics that know in which order messages came. */
class OrderedStatistics extends Statistics {
  readonly order: string[] = [];

  override notice(origin: Origin, messages: number): void {
    for (let left = messages; left > 0; left--) this.order.push(String(origin.frame));
    super.notice(origin, messages);
  }

  override exchange(exchange: Exchange): void {
    const { number, name, asks, answers, forgets, error } = exchange;
    if (asks || answers?.isFirst || forgets || error) {
      const others = [asks || undefined, answers?.isFirst && answers.number, forgets?.number, error];
      this.order.push([number, name, ...others].join(" "));
    }
    super.exchange(exchange);
  }
}

/** Counts with one thread. */
export async function countWhole(source: CaptureSource, options: EngineOptions): Promise<Counted> {
  const statistics = new OrderedStatistics(defaultLimits);
  const traffic = new Traffic(defaultLimits);
  const { packets } = await runCaptures([source], { ...options, network: traffic, skims: true }, (message) =>
    statistics.take(message),
  );
  const report = { statistics, traffic, packets, isFiltered: false, isComplete: true };
  return { order: statistics.order, statistics: statsJson(report) };
}

/** Counts as several threads would, one after the other; a text says why that may make a difference. */
export async function countDivided(
  source: CaptureSource,
  options: EngineOptions,
  threads: number,
): Promise<Counted | string> {
  const statistics = new OrderedStatistics(defaultLimits);
  const traffic = new Traffic(defaultLimits);
  let reason: string | undefined;
  const unusual = (why: string) => {
    reason ??= why;
  };
  const merged = new MergedCounts(threads, defaultLimits, statistics, { unusual, released: () => {} });
  let report: Omit<Parameters<typeof statsJson>[0], "statistics"> | undefined;
  for (let thread = 0; thread < threads; thread++) {
    const own = new Traffic(defaultLimits);
    const share = new ShareOfThread<TallySums>({ thread, threads }, defaultLimits, {
      newWriter: (order, full) => new CountingTrace(order, defaultLimits, full),
      full: (trace) => merged.add(thread, trace),
      unusual,
    });
    const run = { ...options, network: own, skims: true, share: share.share };
    const { packets } = await runCaptures(
      [source],
      run,
      share.listener(() => true),
      () => {
        share.writer.flush();
        merged.drain();
        return true;
      },
    );
    share.writer.flush();
    merged.end(thread);
    merged.drain();
    for (const sum of own.sums()) traffic.add(sum);
    report ??= { traffic, packets, isFiltered: false, isComplete: true };
  }
  if (reason !== undefined || report === undefined) return reason ?? "";
  if (!merged.isDone) throw new Error("something was never passed on");
  merged.finish();
  return { order: statistics.order, statistics: statsJson({ ...report, statistics }) };
}
