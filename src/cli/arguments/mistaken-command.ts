import { suggestion } from "../../common/nearest.js";
import { exists } from "../../platform/node/exists.js";
import { COMMANDS, isCommand } from "../setup/command-names.js";
import { UsageError } from "../usage-error.js";

/**
 * Refuses a first word that is not a file, does not look like one, and resembles the name of a command.
 *
 * @throws UsageError
 */
export async function refuseMistakenCommand(word: string): Promise<void> {
  if (!/^[\w-]{2,}$/.test(word)) return;
  const meant = suggestion(word, COMMANDS);
  if (meant === "" || (await exists(word))) return;
  throw new UsageError(`${word} is neither a command nor a file${meant}`);
}

/** Words after `help` that ask for help on itself, of which Commander has none. */
export const HELP_ON_HELP: readonly string[] = ["help", "-h", "--help"];

/**
 * Refuses help on a word that is not a command.
 *
 * @throws UsageError
 */
export function refuseMistakenHelp([first, word]: readonly string[]): void {
  if (first !== "help" || word === undefined || isCommand(word) || HELP_ON_HELP.includes(word)) return;
  throw new UsageError(`${word} is not a command${suggestion(word, COMMANDS)}; moul-dissect help lists them`);
}
