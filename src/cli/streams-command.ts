import { createWriteStream } from "node:fs";
import { dissectCaptures } from "../index.js";
import { palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { type StreamFacts, streamLine, streamTable } from "../output/streams.js";
import { takesColor } from "./color.js";
import { problemText, type Surroundings } from "./dissect-command.js";
import { type DissectorOptions, decodeAsProblem, knownDissectors } from "./dissector-options.js";
import { ExitCode } from "./exit-code.js";
import { reportInternalError } from "./internal-error.js";
import { discoverKeys } from "./key-discovery.js";
import { overwritten } from "./overwriting.js";
import { StreamRecorder } from "./stream-recorder.js";
import { TextOutput } from "./text-output.js";

/**
 * Conversations that are gathered before they are printed in the order of their numbers: they end in another order, and
 * all of those of a long recording would be too many to keep.
 */
const MOST_GATHERED = 10_000;

/** The options of the command, as the command line gives them. */
export interface StreamsCommandOptions extends DissectorOptions {
  readonly json?: boolean;
  readonly keys?: readonly string[];
  readonly decodeAs?: readonly string[];
  readonly output?: string;
  readonly color: "auto" | "always" | "never";
  readonly quiet?: boolean;
}

/** Lists the conversations of captures, also those that nobody recognises; gives the exit code. */
export async function streamsCommand(
  captures: readonly string[],
  options: StreamsCommandOptions,
  { stdout, stderr, env }: Surroundings,
): Promise<number> {
  const say = (text: string) => void stderr.write(`moul-dissect: ${printable(text)}\n`);
  const remark = options.quiet ? () => {} : say;
  const known = await knownDissectors(options);
  const misuse = typeof known === "string" ? known : decodeAsProblem(options.decodeAs ?? [], known.all);
  if (typeof known === "string" || misuse !== undefined) {
    say(String(misuse));
    return ExitCode.usage;
  }
  const keys = options.keys ?? (await discoverKeys(captures, env));
  const lost = options.output === undefined ? undefined : await overwritten(options.output, [...captures, ...keys]);
  if (lost !== undefined) {
    say(`${options.output}: this is the input ${lost}, which would be overwritten`);
    return ExitCode.usage;
  }
  const output =
    options.output === undefined ? new TextOutput(stdout) : new TextOutput(createWriteStream(options.output), true);
  const colored = takesColor(options.color, options.output === undefined && stdout.isTTY === true, env);
  const print = options.json
    ? jsonLines
    : (streams: readonly StreamFacts[]) => streamTable(streams, palette(colored).heading);

  let gathered: StreamFacts[] = [];
  const printGathered = () => {
    gathered.sort((a, b) => a.conversation.stream - b.conversation.stream);
    if (gathered.length > 0) output.write(print(gathered));
    gathered = [];
  };
  const recorder = new StreamRecorder((facts) => {
    gathered.push(facts);
    const { conversation, c2s, s2c } = facts;
    for (const { gaps, gapCount } of [c2s, s2c]) {
      if (gapCount > gaps.length) {
        remark(`stream ${conversation.stream} has ${gapCount} gaps in one direction; ${gaps.length} are listed`);
      }
    }
    if (gathered.length >= MOST_GATHERED) printGathered();
  });
  let crashed = false;
  const result = await dissectCaptures(
    captures,
    {
      keys,
      dissectors: known.loaded,
      decodeAs: options.decodeAs ?? [],
      network: recorder,
      onSession: (session) => recorder.session(session),
      onProblem: (problem) => say(problemText(problem)),
      onRemark: remark,
      onInternalError: ({ error, stream, direction, offset }) => {
        crashed = true;
        reportInternalError(stderr, ` in stream ${stream}, ${direction}, offset ${offset}`, error);
      },
    },
    () => {},
    async () => {
      await output.drained();
      return !output.closed;
    },
  );
  printGathered();
  await output.end();

  if (output.failure !== undefined) {
    say(`the output cannot be written: ${output.failure.message}`);
    return ExitCode.input;
  }
  if (crashed) return ExitCode.internal;
  const readable = result.captures.every((outcome) => outcome === "whole" || outcome === "stopped");
  if (!readable || (options.keys !== undefined && !result.keysComplete)) return ExitCode.input;
  return ExitCode.done;
}

function jsonLines(streams: readonly StreamFacts[]): string {
  return streams.map(streamLine).join("");
}
