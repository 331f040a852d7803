import type { Command, Option } from "commander";

/** What a shell needs to know about an option. */
export interface OptionWords {
  readonly flags: readonly string[];
  readonly description: string;
  /** Name of its value, as help shows it; undefined for a switch. */
  readonly value: string | undefined;
  /** The values it can have; none if it takes anything. */
  readonly choices: readonly string[];
}

/** What a shell needs to know about a command. */
export interface CommandWords {
  /** Empty for the program itself, which runs when no command is named. */
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionWords[];
  /** What its first argument can be; none if it is a file or takes anything. */
  readonly choices: readonly string[];
}

/** What the first argument of a command may be, by the command's name, if its definition does not list it. */
export type Operands = ReadonlyMap<string, readonly string[]>;

/** The program itself, then its commands. */
export type ProgramWords = readonly [self: CommandWords, ...others: CommandWords[]];

/** The commands of a program, the program itself first: exactly what its help shows. */
export function commandWords(program: Command, operands: Operands): ProgramWords {
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

/** A function name that is valid in any shell: `_moul_dissect` for `moul-dissect`. */
export function functionName(program: string): string {
  return `_${program.replace(/\W/g, "_")}`;
}

/** Quotes a text so that a POSIX shell takes it as one word, as it is. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
