import { FilterError, type Message } from "../index.js";
import { palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { statsJson } from "../output/stats-json.js";
import { statsText } from "../output/stats-text.js";
import { Statistics, Traffic } from "../stats/index.js";
import { CaptureRun, type CaptureRunOptions } from "./capture-run.js";
import { takesColor } from "./color.js";
import { passing } from "./display.js";
import { ExitCode } from "./exit-code.js";
import { onInterrupt } from "./interrupt.js";
import type { Surroundings } from "./surroundings.js";

/** The options of the command, as the command line gives them. */
export interface StatsCommandOptions extends CaptureRunOptions {
  readonly json?: boolean;
  readonly filter?: string;
}

/**
 * Sums up captures; gives the exit code. Ctrl-C prints what was summed up so far and is no failure: that is how live
 * captures end, here as in tcpdump and tshark.
 */
export async function statsCommand(
  captures: readonly string[],
  options: StatsCommandOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { stderr, env } = surroundings;
  const run = await CaptureRun.prepare(captures, options, surroundings);
  if (typeof run === "string") {
    stderr.write(`moul-dissect: ${printable(run)}\n`);
    return ExitCode.usage;
  }
  let passes: (message: Message) => boolean;
  try {
    passes = await passing(options.filter, run.dissectors);
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    stderr.write(`moul-dissect: ${error.message.split("\n").map(printable).join("\n")}\n`);
    return ExitCode.usage;
  }
  const statistics = new Statistics();
  const traffic = new Traffic();
  let isComplete = true;
  const unwatch = onInterrupt(captures.includes("-"), () => {
    isComplete = false;
    run.leaveOff();
  });
  try {
    const { packets } = await run.read({
      network: traffic,
      onSession: ({ conversation, dissector }) => traffic.spoken(conversation, dissector.protocol),
      listener: (message) => {
        if (passes(message)) statistics.take(message);
      },
    });
    const report = { statistics, traffic, packets, isComplete };
    const colors = palette(takesColor(options.color, run.isTerminal, env));
    run.output.write(options.json ? statsJson(report) : statsText(report, colors));
  } finally {
    unwatch();
  }
  return run.finish();
}
