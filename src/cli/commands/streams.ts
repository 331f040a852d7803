import { createHash } from "node:crypto";
import { streamLine } from "../../output/tables/stream-line.js";
import { streamTable } from "../../output/tables/streams.js";
import { palette } from "../../output/text/terminal-palette.js";
import { ClockRemarks } from "../../remarks/clock-remarks.js";
import { besideStreams } from "../../remarks/packet-kinds.js";
import { type StreamFacts, StreamRecorder } from "../../stats/index.js";
import type { CommandLine } from "../command-line.js";
import {
  captureOfLine,
  eachOption,
  type Recording,
  recordingsOf,
  remarkOn,
  titleOf,
} from "../dissecting/recordings.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { limitsOf } from "../options/limit-option.js";
import { addCaptureOptions, capturesArgument, jsonFormatOption, jsonOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isReadable } from "../run/verdict.js";

const EPILOGUE = `
"ended by" shows which side hung up first (FIN) or reset the connection (RST); "half": the other side did not hang up;
"open": neither side did before the capture ended; "idle" and "reused": the connection was silent for a long time, or its
ports were used again. "seconds" is empty where the clock was set back meanwhile.

Examples:
  moul-dissect streams session.pcap
  moul-dissect streams session.pcap --json | jq -r 'select(.key == "missing") | .stream'`;

/** The options of the command, as the command line gives them. */
interface StreamsCommandOptions extends CaptureRunOptions, ColorOptions {
  readonly json?: boolean;
  readonly each?: boolean;
}

/** Adds the command `streams` to the program. */
export function addStreamsCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("streams")
    .description("Lists the conversations in captures: endpoints, protocol, encryption, bytes and gaps.")
    .addArgument(capturesArgument())
    .addOption(jsonOption("each conversation as a JSON object on a line of its own"))
    .addOption(jsonFormatOption())
    .addOption(eachOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: StreamsCommandOptions) => {
      end(await streamsCommand(captures, options, io));
    });
}

/** Lists the conversations in captures, including those that are not recognised; returns the exit code. */
async function streamsCommand(
  captures: readonly string[],
  options: StreamsCommandOptions,
  io: ProcessIo,
): Promise<number> {
  const run = await CaptureRun.prepare(captures, options, io, { areOneRecording: options.each !== true });
  const { heading } = await palette(takesColor(options, io));
  for (const recording of recordingsOf(run.prepared.captures, options.each)) {
    if (run.isInterrupted) break;
    if (!options.json) run.output.write(titleOf(recording, heading));
    await listStreams(run, recording, options, heading);
  }
  return run.finish();
}

async function listStreams(
  run: CaptureRun,
  recording: Recording,
  options: StreamsCommandOptions,
  heading: (text: string) => string,
): Promise<void> {
  const capture = captureOfLine(recording);
  const print = options.json
    ? (streams: readonly StreamFacts[]) =>
        streams.map((facts) => streamLine({ ...facts, ...(capture && { capture }) })).join("")
    : (streams: readonly StreamFacts[]) => streamTable(streams, heading, run.columns);
  const remark = (text: string) => remarkOn(run, recording, text);

  const { sortedStreams, listedGaps } = limitsOf(options);
  let gathered: StreamFacts[] = [];
  let count = 0;
  const printGathered = () => {
    gathered.sort((a, b) => a.conversation.stream - b.conversation.stream);
    if (gathered.length > 0) run.output.write(print(gathered));
    gathered = [];
  };
  const clock = new ClockRemarks();
  const recorder = new StreamRecorder(
    { mostGaps: listedGaps, hash: options.json ? () => createHash("sha256") : undefined },
    (facts) => {
      const { conversation, c2s, s2c } = facts;
      gathered.push({ ...facts, isTimed: clock.times(conversation) });
      count++;
      for (const { gaps, gapCount } of [c2s, s2c]) {
        if (gapCount <= gaps.length) continue;
        const listed = gaps.length === 1 ? "only the first is listed" : `only the first ${gaps.length} are listed`;
        remark(`stream ${conversation.stream} has ${gapCount} gaps in one direction; ${listed}`);
      }
      if (gathered.length >= sortedStreams) printGathered();
    },
  );
  const { captures, alone } = recording;
  const work = { network: recorder, onClockSetBack: clock.onClockSetBack, listener: undefined };
  const result = await run.read({ ...work, ...(alone && { alone: alone.index }) }, captures);
  printGathered();
  for (const text of clock.remarksOnStreams()) remark(text);
  const beside = besideStreams(count === 0 && isReadable(result), result.packets);
  if (beside !== undefined) remark(beside);
}
