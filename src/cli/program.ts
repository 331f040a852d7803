import { Command, CommanderError } from "commander";
import { DecodeAsError, DissectorFailure, DissectorModuleError, dissectors, FilterError } from "../index.js";
import { printable } from "../output/writers/sanitise.js";
import { commandFirst } from "./arguments/command-first.js";
import { HELP_ON_HELP, refuseMistakenHelp } from "./arguments/mistaken-command.js";
import { withHint } from "./arguments/near-misses.js";
import type { CommandLine } from "./command-line.js";
import { addCheckCommand } from "./commands/check.js";
import { addDecodeCommand } from "./commands/decode.js";
import { addDecryptCommand } from "./commands/decrypt.js";
import { addDemoCommand } from "./commands/demo.js";
import { addDiagnoseCommand } from "./commands/diagnose.js";
import { addDissecting } from "./commands/dissect.js";
import { addDocumentationCommands } from "./commands/documentation.js";
import { addExportCommand } from "./commands/export.js";
import { addFieldsCommand } from "./commands/fields.js";
import { addFindCommand } from "./commands/find.js";
import { addFollowCommand } from "./commands/follow.js";
import { addKeysCommand } from "./commands/keys.js";
import { addLiveCommand } from "./commands/live.js";
import { addReportCommand } from "./commands/page/report.js";
import { addViewCommand } from "./commands/page/view.js";
import { addSchemaCommand } from "./commands/schema.js";
import { addScrubCommand } from "./commands/scrub.js";
import { addSplitCommand } from "./commands/split.js";
import { addSqlCommand } from "./commands/sql.js";
import { addChatCommand } from "./commands/state/chat.js";
import { addObjectsCommand } from "./commands/state/objects.js";
import { addPlayersCommand } from "./commands/state/players.js";
import { addSdlCommand } from "./commands/state/sdl.js";
import { addVaultCommand } from "./commands/state/vault.js";
import { addStatsCommand } from "./commands/stats.js";
import { addStreamsCommand } from "./commands/streams.js";
import { addWiresharkCommand } from "./commands/wireshark.js";
import { ExitCode } from "./exit-code.js";
import { reportDissectorError, reportInternalError } from "./internal-error.js";
import type { ProcessIo } from "./process-io.js";
import { UsageError } from "./usage-error.js";
import { version } from "./version.js";
import { finishPrinting } from "./writing/printing.js";
import { TextOutput } from "./writing/text-output.js";

/** Runs the program with its command-line arguments; returns the exit code. */
export async function main(args: readonly string[], io: ProcessIo): Promise<number> {
  let code: number = ExitCode.done;
  const help = new TextOutput(() => ({ stream: io.stdout, isOwn: false }));
  const program = commandLine(
    io,
    (text) => help.write(text),
    (outcome) => {
      code = outcome;
    },
  );
  try {
    refuseMistakenHelp(
      args,
      program.commands.map((command) => command.name()),
    );
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
 * The program with its commands.
 *
 * @param print called with help and the version
 * @param end called with the exit code of the command that has run
 */
export function commandLine(io: ProcessIo, print: (text: string) => void, end: (code: number) => void): Command {
  const program = new Command("moul-dissect")
    .description("Dissects captures of Myst Online: Uru Live, BZFlag or your own protocols into annotated field trees.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "Prints this help, or the help of a command.")
    .configureOutput({
      writeOut: print,
      outputError: (text, write) => write(withHint(text)),
      // It repeats the arguments, which may be file names that a shell has filled in.
      writeErr: (text) => void io.stderr.write(printableLines(text.replace(/^error: /, "moul-dissect: "))),
    })
    .showHelpAfterError("(see moul-dissect --help)")
    .enablePositionalOptions()
    .exitOverride();
  const line: CommandLine = { program, io, end };
  addDissecting(line);
  addDecodeCommand(line);
  addStreamsCommand(line);
  addStatsCommand(line);
  addDiagnoseCommand(line);
  addFindCommand(line);
  addFollowCommand(line);
  addLiveCommand(line);
  addKeysCommand(line);
  addDecryptCommand(line);
  addExportCommand(line);
  addSqlCommand(line);
  addSplitCommand(line);
  addCheckCommand(line);
  addScrubCommand(line);
  addPlayersCommand(line);
  addChatCommand(line);
  addVaultCommand(line);
  addSdlCommand(line);
  addObjectsCommand(line);
  addViewCommand(line);
  addReportCommand(line);
  addFieldsCommand(line);
  addSchemaCommand(line);
  addWiresharkCommand(line);
  addDemoCommand(line, main);
  addDocumentationCommands(line);
  // That of the program lists options that they do not have.
  for (const command of program.commands) command.showHelpAfterError(`(see moul-dissect ${command.name()} --help)`);
  return program;
}

/** True for errors that say why a request makes no sense. */
function isUsageError(error: unknown): error is Error {
  return [UsageError, FilterError, DecodeAsError, DissectorModuleError].some((kind) => error instanceof kind);
}

/** Text of several lines as it may be sent to a terminal. */
function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
