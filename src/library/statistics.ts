import { defaultLimits } from "../limits.js";
import type { StatsReport } from "../output/statistics/stats-report.js";
import type { EngineOptions } from "../pipeline/options.js";
import { ClockRemarks } from "../remarks/clock-remarks.js";
import { Statistics, Traffic } from "../stats/index.js";
import { passMessages } from "./dissect.js";
import type { EndOfRun } from "./end-of-run.js";
import type { CaptureInputs } from "./inputs.js";

/** Options of a run that counts. */
export interface StatisticsOptions extends Omit<EngineOptions, "network" | "onClockSetBack"> {}

/** What was counted in a run, and how it ended. */
export interface CountedMessages {
  readonly report: StatsReport;
  readonly end: EndOfRun;
}

/**
 * Counts what is in captures: protocols, messages, players and ages, reply times, errors and trouble. `statsJson` makes
 * the object of `stats --json` of it.
 */
export async function statistics(captures: CaptureInputs, options: StatisticsOptions = {}): Promise<CountedMessages> {
  const limits = { ...defaultLimits, ...options.limits };
  const [counts, traffic, clock] = [new Statistics(limits), new Traffic(limits), new ClockRemarks()];
  const end = await passMessages(
    captures,
    {
      ...options,
      network: traffic,
      onClockSetBack: clock.onClockSetBack,
      skims: true,
    },
    (message) => counts.take(message),
  );
  const isClockSetBack = clock.isSetBackBetween(counts.frames);
  const isFiltered = options.filter !== undefined;
  return {
    report: { statistics: counts, traffic, packets: end.packets, isFiltered, isComplete: true, isClockSetBack },
    end: isClockSetBack ? { ...end, remarks: [...end.remarks, clock.remarkOnMessages()] } : end,
  };
}
