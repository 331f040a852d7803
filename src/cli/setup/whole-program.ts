import type { Command } from "commander";
import type { Main } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import type { ProcessIo } from "../process-io.js";
import { loadedAll } from "./loaded-for.js";
import { programOf } from "./program-of.js";

/**
 * The program with all of its commands.
 *
 * @param print called with help and the version
 * @param end called with the exit code of the command that has run
 * @param main runs the program again; left out where only the definitions of commands are of interest
 */
export async function commandLine(
  io: ProcessIo,
  print: (text: string) => void,
  end: (code: number) => void,
  main: Main = () => Promise.resolve(ExitCode.internal),
): Promise<Command> {
  return programOf(await loadedAll(), { io, print, end, main });
}
