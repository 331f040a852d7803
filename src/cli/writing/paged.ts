import { ExitCode } from "../exit-code.js";
import type { ProcessIo } from "../process-io.js";
import { say } from "../say.js";
import type { OutputOptions } from "./output-file.js";
import type { Pager } from "./pager.js";
import { finishPrinting, outputOf, printsToTerminal } from "./printing.js";
import { TextOutput } from "./text-output.js";

/** The options of commands whose output may go through a pager. */
export interface PagerOptions extends OutputOptions {
  /** False for `--no-pager`. */
  readonly pager?: boolean;
}

/**
 * Starts a pager, if the output goes to a terminal and the user wants one.
 *
 * @param onClosed called when the user has quit it
 */
export async function openPager(
  options: PagerOptions,
  io: ProcessIo,
  onClosed: () => void = () => {},
): Promise<Pager | undefined> {
  if (options.pager === false || !printsToTerminal(options, io)) return undefined;
  // Starting programs is not for every run.
  const { pagerCommand, startPager } = await import("./pager.js");
  const command = await pagerCommand(io.env);
  return command === undefined ? undefined : startPager(command, io.env, onClosed);
}

/** Output that may go through a pager. */
export interface PagedOutput {
  readonly output: TextOutput;
  /** Writes the rest and waits until the user has quit the pager; returns the exit code. */
  readonly finish: () => Promise<number>;
}

/**
 * Where a command prints that reads no captures.
 *
 * @param inputs files that must not be overwritten
 * @throws UsageError if the file may not be written
 */
export async function pagedOutput(
  options: PagerOptions,
  io: ProcessIo,
  inputs: readonly string[] = [],
): Promise<PagedOutput> {
  const pager = await openPager(options, io);
  const output = pager ? TextOutput.on(pager.input, { isOwn: true }) : await outputOf(options, io, inputs);
  const finish = async () => {
    const code = await finishPrinting(output, io);
    const problem = await pager?.closed;
    if (problem === undefined) return code;
    say(io.stderr, problem);
    return ExitCode.input;
  };
  return { output, finish };
}
