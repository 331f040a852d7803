import { ExitCode } from "./exit-code.js";
import { OutputFile, type OutputOptions } from "./output-file.js";
import { say } from "./say.js";
import type { Surroundings } from "./surroundings.js";
import { TextOutput } from "./text-output.js";

/**
 * Where a command prints: standard output, or the file that the user names.
 *
 * @param inputs files that have to stay as they are
 * @throws UsageError if the file must not be written
 */
export async function outputOf(
  { output, force = false }: OutputOptions,
  { stdout }: Surroundings,
  inputs: readonly string[] = [],
): Promise<TextOutput> {
  return output === undefined
    ? TextOutput.on(stdout)
    : new TextOutput(await OutputFile.claim(output, { overwrites: force, inputs }));
}

/** True if what is printed goes to a terminal. */
export function printsToTerminal({ output }: OutputOptions, { stdout }: Surroundings): boolean {
  return output === undefined && stdout.isTTY === true;
}

/** Writes out what is left; gives the exit code: `verdict`, if it could be written. */
export async function finishPrinting(
  output: TextOutput,
  { stderr }: Surroundings,
  verdict: number = ExitCode.done,
): Promise<number> {
  await output.end();
  if (output.failure === undefined) return verdict;
  say(stderr, output.failure);
  return ExitCode.input;
}
