import { isPipe } from "../../platform/node/capture-file.js";
import { ExitCode } from "../exit-code.js";
import type { ProcessIo } from "../process-io.js";
import { say } from "../say.js";
import { UsageError } from "../usage-error.js";
import { OutputFile, type OutputOptions } from "./output-file.js";
import { TextOutput } from "./text-output.js";

/**
 * Where a command prints: standard output, or the file that the user names.
 *
 * @param inputs files that must not be overwritten
 * @throws UsageError if the file may not be written
 */
export async function outputOf(
  { output, force = false, grows = false }: OutputOptions,
  { stdout }: ProcessIo,
  inputs: readonly string[] = [],
): Promise<TextOutput> {
  return output === undefined
    ? TextOutput.on(stdout)
    : new TextOutput(await OutputFile.claim(output, { overwrites: force, inputs, grows }));
}

/** True if the output goes to a terminal. */
export function printsToTerminal({ output }: OutputOptions, { stdout }: ProcessIo): boolean {
  return output === undefined && stdout.isTTY === true;
}

/** True if the output goes to a file, which need not exist if there is nothing to write; the reader of a pipe waits. */
export async function printsToFile({ output }: OutputOptions): Promise<boolean> {
  return output !== undefined && !(await isPipe(output));
}

/** @throws UsageError if a capture would be written to a terminal */
export function refuseTerminal(options: OutputOptions, io: ProcessIo): void {
  if (printsToTerminal(options, io)) {
    throw new UsageError("refusing to write a capture to a terminal; name a file or use a pipe");
  }
}

/** Writes the rest of the output; returns the exit code: `verdict` if everything could be written. */
export async function finishPrinting(
  output: TextOutput,
  { stderr }: ProcessIo,
  verdict: number = ExitCode.done,
): Promise<number> {
  await output.end();
  if (output.failure === undefined) return verdict;
  say(stderr, output.failure);
  return ExitCode.input;
}
