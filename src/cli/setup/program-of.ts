import { Command } from "commander";
import { withHint } from "../arguments/near-misses.js";
import type { CommandLine } from "../command-line.js";
import { printableLines } from "../say.js";
import { version } from "../version.js";

/** What a program runs in. */
export interface Setting extends Omit<CommandLine, "program"> {
  /** Called with help and the version. */
  readonly print: (text: string) => void;
  /** Called with errors on the command line; by default, they are printed on standard error. */
  readonly complain?: (text: string) => void;
}

/** The program with some of its commands. */
export function programOf(commands: readonly ((line: CommandLine) => void)[], setting: Setting): Command {
  const { io, print, complain = (text: string) => void io.stderr.write(text), ...rest } = setting;
  const program = new Command("moul-dissect")
    .description("Dissects captures of Myst Online: Uru Live, BZFlag or your own protocols into annotated field trees.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "Prints this help, or the help of a command.")
    .configureOutput({
      writeOut: print,
      outputError: (text, write) => write(withHint(text)),
      // It repeats the arguments, which may be file names that a shell has filled in.
      writeErr: (text) => complain(printableLines(text.replace(/^error: /, "moul-dissect: "))),
    })
    .showHelpAfterError("(see moul-dissect --help)")
    .enablePositionalOptions()
    .exitOverride();
  for (const add of commands) add({ program, io, ...rest });
  // That of the program lists options that they do not have.
  for (const command of program.commands) command.showHelpAfterError(`(see moul-dissect ${command.name()} --help)`);
  return program;
}
