import { Command } from "commander";

/**
 * The arguments with the name of the command first: options before it mean the same as after it. Commander would take
 * them for the program's own, which no command looks at.
 *
 * @throws CommanderError if an option lacks its value
 */
export function commandFirst(program: Command, args: readonly string[]): readonly string[] {
  const { operands, unknown } = readerOf(program).parseOptions([...args]);
  const [name] = operands;
  if (name === undefined || !program.commands.some((command) => command.name() === name)) return args;
  const at = args.length - operands.length - unknown.length;
  return [name, ...args.slice(0, at), ...args.slice(at + 1)];
}

/** Knows which options of any command take values, and does nothing with them. */
function readerOf(program: Command): Command {
  const reader = new Command(program.name()).copyInheritedSettings(program).option("-h, --help");
  for (const command of program.commands) reader.command(command.name());
  for (const { long, flags } of [program, ...program.commands].flatMap((command) => command.options)) {
    // The version is printed whatever follows.
    const isLeftOut = long === "--version" || reader.options.some((known) => known.long === long);
    if (!isLeftOut) reader.option(flags);
  }
  return reader;
}
