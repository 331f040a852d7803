import type { Command } from "commander";
import { bashCompletion } from "./bash.js";
import { fishCompletion } from "./fish.js";
import { commandWords, type Operands } from "./words.js";
import { zshCompletion } from "./zsh.js";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

const writers = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** The script that makes a shell complete the commands, options, choices, operands and files of a program. */
export function completionScript(shell: Shell, program: Command, operands: Operands): string {
  return writers[shell](program.name(), commandWords(program, operands));
}
