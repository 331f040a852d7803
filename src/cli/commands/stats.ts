import type { Message } from "../../dissect/message.js";
import { statsJson } from "../../output/statistics/stats-json.js";
import type { StatsReport } from "../../output/statistics/stats-report.js";
import { statsText } from "../../output/statistics/stats-text.js";
import { palette } from "../../output/text/terminal-palette.js";
import type { RunResult } from "../../pipeline/run.js";
import { ClockRemarks } from "../../remarks/clock-remarks.js";
import { Statistics, Traffic } from "../../stats/index.js";
import type { CommandLine } from "../command-line.js";
import {
  captureOfLine,
  eachOption,
  type Recording,
  recordingsOf,
  remarkOn,
  titleOf,
} from "../dissecting/recordings.js";
import { dividedCounting, remarkOnThreads } from "../dividing/counting.js";
import { passing } from "../message-display.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { limitsOf } from "../options/limit-option.js";
import {
  addCaptureOptions,
  capturesArgument,
  filterOption,
  jsonFormatOption,
  jsonOption,
  MOST_THREADS,
  pagerOption,
  threadCount,
} from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import { printPaged } from "../run/on-terminal.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isUnreadable } from "../run/verdict.js";
import type { PagerOptions } from "../writing/paged.js";

const EPILOGUE = `
Protocols count all packets and bytes, with or without a filter; requests that got no reply are listed only without a
filter. Ctrl-C prints the statistics so far and exits with 0.

Examples:
  moul-dissect stats session.pcap
  moul-dissect stats session.pcap --json | jq '.latencies[] | select(.p95 > 100)'
  moul-dissect stats session.pcap -Y "protocol == 'moul.game'"
  tcpdump -i eth0 -w - port 14617 | moul-dissect stats -`;

/** The options of the command, as the command line gives them. */
interface StatsCommandOptions extends CaptureRunOptions, ColorOptions, PagerOptions {
  readonly json?: boolean;
  readonly filter?: string;
  readonly each?: boolean;
  readonly threads?: number;
}

/** Adds the command `stats` to the program. */
export function addStatsCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("stats")
    .description(
      "Prints statistics of captures: protocols, messages, players and ages, reply times, errors and trouble.",
    )
    .addArgument(capturesArgument())
    .addOption(jsonOption("the statistics as one JSON object"))
    .addOption(jsonFormatOption())
    .addOption(filterOption("count"))
    .addOption(eachOption())
    .option(
      "--threads <n>",
      `number of threads that count, up to ${MOST_THREADS} (default: one for each core for large captures)`,
      threadCount,
    )
    .addOption(pagerOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: StatsCommandOptions) => {
      end(await statsCommand(captures, options, io));
    });
}

/**
 * Prints statistics of captures; returns the exit code. Ctrl-C prints those so far and is not a failure: that is how
 * live captures end, here as in tcpdump and tshark.
 */
async function statsCommand(captures: readonly string[], options: StatsCommandOptions, io: ProcessIo): Promise<number> {
  const run = await CaptureRun.prepare(captures, options, io, { areOneRecording: options.each !== true });
  const passes = await passing(options.filter, run.prepared.dissectors);
  const colors = await palette(takesColor(options, io));
  const printed: string[] = [];
  for (const recording of recordingsOf(run.prepared.captures, options.each)) {
    if (run.isInterrupted) break;
    const report = await statisticsOf(run, recording, options, passes);
    // "Trouble: none" would be untrue of captures that could not be read.
    if (report === undefined) continue;
    const capture = captureOfLine(recording);
    if (options.json) run.output.write(statsJson({ ...report, ...(capture && { capture }) }));
    else printed.push(titleOf(recording, colors.heading), statsText(report, colors, run.columns));
  }
  await printPaged(run, printed, options, io);
  return run.finish();
}

/** The statistics of a recording; undefined if it could not be read. */
async function statisticsOf(
  run: CaptureRun,
  recording: Recording,
  options: StatsCommandOptions,
  passes: (message: Message) => boolean,
): Promise<StatsReport | undefined> {
  const divided = await countDivided(run, recording, options, passes);
  if (divided !== "cannot be divided") return divided;
  const counts = newCounts(options);
  const { statistics } = counts;
  const listener = (message: Message) => {
    if (passes(message)) statistics.take(message);
  };
  const result = await run.read({ ...workOf(recording, counts), listener }, recording.captures);
  return isUnreadable(result) ? undefined : reportOf(run, recording, options, counts, result);
}

/** The same with several threads, where that is of use, and possible. */
async function countDivided(
  run: CaptureRun,
  recording: Recording,
  options: StatsCommandOptions,
  passes: (message: Message) => boolean,
): Promise<StatsReport | undefined | "cannot be divided"> {
  const counts = newCounts(options);
  const divided = await dividedCounting(run, options, recording.captures, counts);
  if (divided === undefined) return "cannot be divided";
  const { threads, lengths } = divided;
  try {
    const work = {
      ...workOf(recording, counts),
      lengths,
      share: threads.share,
      listener: threads.listener(passes),
      goesOn: () => threads.between(),
      finish: () => (run.isInterrupted ? threads.interrupt() : threads.finish()),
      isValid: () => run.isInterrupted || threads.isValid(),
    };
    const result = await run.read(work, recording.captures);
    if (work.isValid()) {
      return isUnreadable(result) ? undefined : reportOf(run, recording, options, counts, result);
    }
    remarkOnThreads(run, options, threads.reason ?? "");
    return "cannot be divided";
  } finally {
    await threads.stop();
  }
}

/** What is counted, and what has to be known besides. */
interface Counts {
  readonly statistics: Statistics;
  readonly traffic: Traffic;
  readonly clock: ClockRemarks;
}

function newCounts(options: StatsCommandOptions): Counts {
  const limits = limitsOf(options);
  return { statistics: new Statistics(limits), traffic: new Traffic(limits), clock: new ClockRemarks() };
}

/** What one thread and several ask of a run. */
function workOf({ alone }: Recording, { traffic, clock }: Counts) {
  const { onClockSetBack } = clock;
  const ofOne = alone === undefined ? {} : { alone: alone.index };
  return { network: traffic, skims: true, onClockSetBack, endsAtInterrupt: true, ...ofOne } as const;
}

function reportOf(
  run: CaptureRun,
  recording: Recording,
  options: StatsCommandOptions,
  { statistics, traffic, clock }: Counts,
  { packets }: RunResult,
): StatsReport {
  const isFiltered = options.filter !== undefined;
  const isComplete = !run.isInterrupted;
  const isClockSetBack = clock.isSetBackBetween(statistics.frames);
  if (isClockSetBack) remarkOn(run, recording, clock.remarkOnMessages());
  return { statistics, traffic, packets, isFiltered, isComplete, isClockSetBack };
}
