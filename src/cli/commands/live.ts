import { Option } from "commander";
import { counted } from "../../common/counted.js";
import type { Dissector, Message } from "../../index.js";
import { statsText } from "../../output/statistics/stats-text.js";
import { palette } from "../../output/text/terminal-palette.js";
import { timeFormats } from "../../output/text/time-column.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import { Statistics, Traffic } from "../../stats/index.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { KeptRecording } from "../live/kept-recording.js";
import { Recorder } from "../live/recorder.js";
import {
  programAdvice,
  type RecordingProgram,
  recordingProgram,
  usualInterface,
  whereText,
} from "../live/recording-program.js";
import { onStopKey } from "../live/stop-keys.js";
import { displayOf } from "../message-display.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { limitsOf } from "../options/limit-option.js";
import { addCaptureOptions, collect, filterOption, jsonOption, sizeOf, wholeNumber } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import type { SummaryOptions } from "../summary-display.js";
import { UsageError } from "../usage-error.js";
import { printsToTerminal } from "../writing/printing.js";

const EPILOGUE = `
It records with dumpcap or, if that is not there, with tcpdump, and says what to do if it may not. q or Ctrl-C ends the
recording; then the statistics follow. With --ring, the last part of the recording stays on disk, in four files of a
quarter of the size: live-0001.pcap and so on, of which the oldest is removed for a new one.

Examples:
  sudo moul-dissect live --keys dirtsand.ini
  moul-dissect live -i lo -f "tcp port 14617" -Y "result != kNetSuccess"
  moul-dissect live --ring 200M -w tonight.pcap`;

/** The options of the command, as the command line gives them. */
interface LiveCommandOptions extends CaptureRunOptions, ColorOptions, SummaryOptions {
  readonly interface?: string;
  readonly captureFilter?: string;
  readonly filter?: string;
  readonly count?: number;
  readonly json?: boolean;
  readonly ring?: number;
  readonly write?: string;
}

/** Where --ring writes unless the user says so. */
const USUAL_FILE = "live.pcap";

/** Adds the command `live` to the program. */
export function addLiveCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("live")
    .description("Records with dumpcap or tcpdump, and shows the messages as they come.")
    .option("-i, --interface <name>", "where to record (default: any, where there is such a thing; else the first)")
    .option(
      "-f, --capture-filter <expression>",
      "what to record, as in tcpdump (default: the usual ports of the protocols)",
    )
    .addOption(filterOption("show"))
    .addOption(jsonOption("each message as a JSON object on a line of its own, without the statistics"))
    .option("-c, --count <n>", "stop after N messages", (text) => wholeNumber(text, 1))
    .option("--ring <size>", "keep the last of the recording on disk: 500k, 200M, 2G", sizeOf)
    .option("-w, --write <file>", `where --ring writes: numbers go before the ending (default: ${USUAL_FILE})`)
    .option("--columns <names>", "the columns, with commas between them: time,source,info, or paths as in filters")
    .option("--wide", "whole columns, even if they are wider than the terminal")
    .addOption(
      new Option(
        "--color-filter <rule>",
        "a colour for lines that pass a display filter: gap=red (repeatable)",
      ).argParser(collect),
    )
    .addOption(new Option("--time <form>", "how times are shown").choices(timeFormats));
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (options: LiveCommandOptions) => {
      end(await liveCommand(options, io));
    });
}

/** Records and shows messages until the user has enough; returns the exit code. */
async function liveCommand(options: LiveCommandOptions, io: ProcessIo): Promise<number> {
  const { write = USUAL_FILE } = options;
  if (options.write !== undefined && options.ring === undefined) {
    throw new UsageError("-w needs --ring, which says how much of the recording is kept: --ring 200M");
  }
  const run = await CaptureRun.prepare([], options, io);
  const kept = KeptRecording.at(write, options.ring, (text) => run.say(text));
  const { dissectors } = run.prepared;
  const isTerminal = printsToTerminal(options, io);
  const colors = await palette(takesColor(options, io));
  const display = await displayOf(
    { ...options, format: options.json === true ? "json" : "summary" },
    colors,
    dissectors,
    isTerminal ? () => run.columns : undefined,
  );
  const program = recordingProgram(io.env);
  if (program === undefined) {
    run.say(programAdvice());
    await run.finish();
    return ExitCode.input;
  }
  const recorder = record(program, options, { run, kept, io });
  const limits = limitsOf(options);
  const statistics = new Statistics(limits);
  const traffic = new Traffic(limits);
  const undecrypted = new Undecrypted();
  const { requests } = display;
  const most = options.count ?? Number.POSITIVE_INFINITY;
  let printed = 0;
  const listener = (message: Message) => {
    if (printed >= most) return;
    statistics.take(message);
    undecrypted.see(message);
    const passes = display.passes(message);
    requests?.see(message, passes);
    if (!passes) return;
    printed++;
    run.output.write(display.print(message));
  };
  const unwatch = onStopKey(() => recorder.stop());
  const result = await run
    .read({
      source: recorder,
      listener,
      network: {
        began: (first) => display.begin(first),
        opened: (conversation) => traffic.opened(conversation),
      },
      goesOn: () => printed < most,
      endsAtInterrupt: true,
      interrupt: () => recorder.stop(),
    })
    .finally(() => {
      recorder.stop();
      unwatch();
    });
  if (result.captures.includes("unreadable")) return run.finish();
  const report = { statistics, traffic, packets: result.packets, isFiltered: false, isComplete: true };
  if (options.json !== true) run.output.write(`\n${statsText(report, colors, run.columns)}`);
  for (const text of undecrypted.remarks()) run.remark(text);
  if (recorder.dropped > 0) run.remark(`${counted(recorder.dropped, "packet")} came too fast, and were not recorded`);
  const files = kept.end();
  if (files.length > 0) run.say(`the last of the recording is in ${files.join(" ")}`);
  return run.finish(kept.hasFailed ? ExitCode.input : ExitCode.done);
}

/** What a recording is for. */
interface RecordingUse {
  readonly run: CaptureRun;
  readonly kept: KeptRecording;
  readonly io: ProcessIo;
}

/** Begins to record; says so once the program does. */
function record(program: RecordingProgram, options: LiveCommandOptions, { run, kept, io }: RecordingUse): Recorder {
  const captureFilter = options.captureFilter ?? usualPorts(run.prepared.dissectors);
  const on = options.interface ?? usualInterface();
  const recorder = new Recorder(program, { interface: on, captureFilter }, io.env, {
    begun: () => {
      const what = `${program.name} records ${captureFilter}${whereText(program, on, recorder.interface)}`;
      run.remark(`${what}; ${process.stdin.isTTY ? "q" : "Ctrl-C"} ends it`);
    },
    recorded: (bytes) => kept.write(bytes),
  });
  return recorder;
}

/** A capture filter for the ports that servers usually listen on. */
function usualPorts(dissectors: readonly Dissector[]): string {
  const ports = dissectors.flatMap(({ ports = [] }) => ports.map(({ transport, port }) => `${transport} port ${port}`));
  return [...new Set(ports)].join(" or ");
}
