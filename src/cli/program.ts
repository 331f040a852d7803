import { CommanderError } from "commander";
import { DissectorFailure } from "../dissector/failure.js";
import { FilterError } from "../filter/language/filter-error.js";
import { dissectors } from "../pipeline/dissectors.js";
import { DissectorModuleError } from "../platform/node/dissector-module.js";
import { DecodeAsError } from "../session/decode-as.js";
import { commandFirst } from "./arguments/command-first.js";
import { HELP_ON_HELP, refuseMistakenHelp } from "./arguments/mistaken-command.js";
import { hintForQuotes } from "./arguments/stray-quotes.js";
import { ExitCode } from "./exit-code.js";
import { reportDissectorError, reportInternalError } from "./internal-error.js";
import type { ProcessIo } from "./process-io.js";
import { printableLines } from "./say.js";
import { loadedFor } from "./setup/loaded-for.js";
import { programOf } from "./setup/program-of.js";
import { UsageError } from "./usage-error.js";
import { finishPrinting } from "./writing/printing.js";
import { TextOutput } from "./writing/text-output.js";

/** Runs the program with its command-line arguments; returns the exit code. */
export async function main(args: readonly string[], io: ProcessIo): Promise<number> {
  const code = await outcomeOf(args, io);
  const hint = code === ExitCode.usage || code === ExitCode.input ? hintForQuotes(args) : undefined;
  if (hint !== undefined) io.stderr.write(`(${hint})\n`);
  return code;
}

async function outcomeOf(args: readonly string[], io: ProcessIo): Promise<number> {
  let code: number = ExitCode.done;
  const end = (outcome: number) => {
    code = outcome;
  };
  const help = new TextOutput(() => ({ stream: io.stdout, isOwn: false }));
  try {
    if (await runAlone(args, io, end)) return code;
    const { commandLine } = await import("./setup/whole-program.js");
    const program = await commandLine(io, (text) => help.write(text), end, main);
    refuseMistakenHelp(args);
    // A person who types nothing else wants to know what there is; a script has forgotten its captures.
    if (args.length === 0 && io.stdout.isTTY === true) {
      help.write(program.helpInformation());
      return await finishPrinting(help, io, ExitCode.usage);
    }
    const isHelpOnHelp = args[0] === "help" && HELP_ON_HELP.includes(args[1] ?? "");
    await program.parseAsync(isHelpOnHelp ? ["help"] : commandFirst(program, args), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? finishPrinting(help, io) : ExitCode.usage;
    }
    if (isUsageError(error)) {
      // The message of a display filter points at a place in it, on lines of its own.
      io.stderr.write(`moul-dissect: ${printableLines(error.message)}\n`);
      return ExitCode.usage;
    }
    if (error instanceof DissectorFailure && !dissectors.some(({ name }) => name === error.dissector)) {
      reportDissectorError(io.stderr, error.dissector, "", error.cause);
    } else reportInternalError(io.stderr, "", error);
    return ExitCode.internal;
  }
  return code;
}

/**
 * Runs a command of which the arguments leave no doubt, without the definitions of the others.
 *
 * @returns false if nothing was done: what is to be said of the arguments depends on all commands
 */
async function runAlone(args: readonly string[], io: ProcessIo, end: (code: number) => void): Promise<boolean> {
  const add = await loadedFor(args);
  if (add === undefined) return false;
  let isRunning = false;
  const complain = (text: string) => {
    if (isRunning) io.stderr.write(text);
  };
  const program = programOf([add], { io, print: () => {}, complain, end, main });
  program.hook("preAction", () => {
    isRunning = true;
  });
  try {
    await program.parseAsync(commandFirst(program, args), { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && !isRunning) return false;
    throw error;
  }
  return true;
}

/** True for errors that say why a request makes no sense. */
function isUsageError(error: unknown): error is Error {
  return [UsageError, FilterError, DecodeAsError, DissectorModuleError].some((kind) => error instanceof kind);
}
