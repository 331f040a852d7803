import { writeFileSync } from "node:fs";
import { Argument, type Command } from "commander";
import { printable } from "../output/sanitise.js";
import { completionScript, type Shell, shells } from "./completion/index.js";
import { ExitCode } from "./exit-code.js";
import { manPage } from "./man-page.js";
import type { Surroundings } from "./surroundings.js";
import { version } from "./version.js";

const COMPLETION_EPILOGUE = `
Examples:
  moul-dissect completion bash > ~/.local/share/bash-completion/completions/moul-dissect
  moul-dissect completion zsh > ~/.zfunc/_moul-dissect   # with fpath+=~/.zfunc before compinit in .zshrc
  moul-dissect completion fish > ~/.config/fish/completions/moul-dissect.fish

The folders have to exist. Instead, .bashrc may have: eval "$(moul-dissect completion bash)"; the same for zsh, behind
compinit.`;

const MAN_EPILOGUE = `
Examples:
  moul-dissect man > moul-dissect.1 && man ./moul-dissect.1
  moul-dissect man -o ~/.local/share/man/man1/moul-dissect.1`;

/** Adds the commands that print what is made of the definitions of all commands and options. */
export function addDocumentationCommands(
  program: Command,
  { stdout, stderr }: Surroundings,
  end: (code: number) => void,
): void {
  program
    .command("completion")
    .description("Prints a script that has a shell complete commands, options, their choices and file names.")
    .addArgument(new Argument("<shell>", "the shell that reads it").choices(shells))
    .addHelpText("after", COMPLETION_EPILOGUE)
    .action((shell: Shell) => void stdout.write(completionScript(shell, program)));
  program
    .command("man")
    .description("Prints the manual page, as man(1) reads it.")
    .option("-o, --output <file>", "write to a file instead of standard output")
    .addHelpText("after", MAN_EPILOGUE)
    .action(({ output }: { readonly output?: string }) => {
      const page = manPage(program, version);
      if (output === undefined) {
        stdout.write(page);
        return;
      }
      try {
        writeFileSync(output, page);
      } catch (error) {
        stderr.write(`moul-dissect: ${printable(error instanceof Error ? error.message : String(error))}\n`);
        end(ExitCode.input);
      }
    });
}
