import type { Command, Option } from "commander";

/** What a shell has to know of an option. */
export interface OptionWords {
  readonly flags: readonly string[];
  readonly description: string;
  /** Name of its value, as help shows it; undefined for a switch. */
  readonly value: string | undefined;
  /** The values it can have; none where it takes anything. */
  readonly choices: readonly string[];
}

/** What a shell has to know of a command. */
export interface CommandWords {
  /** Empty for the program itself, which is what runs without the name of a command. */
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** What its first argument can be; none where it is a file or anything else. */
  readonly choices: readonly string[];
}

/** What the first argument of commands may be, by the names of these, where their definitions do not list it. */
export type Operands = ReadonlyMap<string, readonly string[]>;

/** The commands of a program, the program itself first: what its help shows, no more and no less. */
export function commandWords(program: Command, operands: Operands): readonly CommandWords[] {
  const commands = program.createHelp().visibleCommands(program);
  return [{ ...wordsOf(program, operands), name: "" }, ...commands.map((command) => wordsOf(command, operands))];
}

function wordsOf(command: Command, operands: Operands): CommandWords {
  return {
    name: command.name(),
    description: command.description(),
    options: command.createHelp().visibleOptions(command).map(optionWords),
    choices: command.registeredArguments[0]?.argChoices ?? operands.get(command.name()) ?? [],
  };
}

function optionWords(option: Option): OptionWords {
  return {
    flags: [option.short, option.long].filter((flag) => flag !== undefined),
    description: option.description,
    value: option.required || option.optional ? /[<[]([^.>\]]+)/.exec(option.flags)?.[1] : undefined,
    choices: option.argChoices ?? [],
  };
}

/** A name that a function can have in any shell: `_moul_dissect` for `moul-dissect`. */
export function functionName(program: string): string {
  return `_${program.replace(/\W/g, "_")}`;
}

/** A word that a POSIX shell takes as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
