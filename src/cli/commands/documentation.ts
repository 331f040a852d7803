import { Argument, type Command } from "commander";
import { dissectors } from "../../pipeline/dissectors.js";
import { declaredNames, protocolNames } from "../../reference/declared-under.js";
import type { CommandLine } from "../command-line.js";
import { completionScript, type Shell, shells } from "../completion/index.js";
import type { Operands } from "../completion/words.js";
import { manPage } from "../man-page.js";
import { addFileOptions } from "../options/shared.js";
import { version } from "../version.js";
import type { OutputOptions } from "../writing/output-file.js";
import { finishPrinting, outputOf } from "../writing/printing.js";

const COMPLETION_EPILOGUE = `
Examples:
  moul-dissect completion bash > ~/.local/share/bash-completion/completions/moul-dissect
  moul-dissect completion zsh > ~/.zfunc/_moul-dissect   # with fpath+=~/.zfunc before compinit in .zshrc
  moul-dissect completion fish > ~/.config/fish/completions/moul-dissect.fish

The folders must exist. Alternatively, put eval "$(moul-dissect completion bash)" into .bashrc, or the same with zsh into
.zshrc, after compinit.`;

const MAN_EPILOGUE = `
Examples:
  moul-dissect man > moul-dissect.1 && man ./moul-dissect.1
  moul-dissect man -o ~/.local/share/man/man1/moul-dissect.1`;

/** Adds the commands that print what is generated from the definitions of all commands and options. */
export function addDocumentationCommands({ program, io, end }: CommandLine): void {
  const print = async (text: string, options: OutputOptions) => {
    const output = await outputOf(options, io);
    output.write(text);
    end(await finishPrinting(output, io));
  };
  const completion = program
    .command("completion")
    .description(
      "Prints a script that makes a shell complete commands, options, their choices, declared names and file names.",
    )
    .addArgument(new Argument("<shell>", "the shell to write it for").choices(shells));
  addFileOptions(completion)
    .addHelpText("after", COMPLETION_EPILOGUE)
    .action((shell: Shell, options: OutputOptions) =>
      print(completionScript(shell, program, operands(program)), options),
    );
  const man = program.command("man").description("Prints the manual page, in the format of man(1).");
  addFileOptions(man)
    .addHelpText("after", MAN_EPILOGUE)
    .action((options: OutputOptions) => print(manPage(program, version), options));
}

/** The arguments of commands that take the name of something declared, or of a command. */
function operands(program: Command): Operands {
  const names = declaredNames(dissectors);
  return new Map([
    ["help", program.commands.map((command) => command.name())],
    ["decode", names],
    ["schema", names],
    ["fields", [...protocolNames(dissectors), ...names]],
  ]);
}
