import { functionName, type OptionWords, type ProgramWords } from "./words.js";

/** Completion for fish, which itself offers file names wherever nothing else is asked for. */
export function fishCompletion(program: string, commands: ProgramWords): string {
  const name = `_${functionName(program)}`;
  const [, ...others] = commands;
  const names = others.map((command) => command.name).join(" ");
  const options = commands.flatMap((command) => command.options);
  const takers = new Set(options.filter(({ value }) => value !== undefined).flatMap(({ flags }) => flags));
  const lines = commands.flatMap((command) => {
    const condition = `-n ${fishQuoted(`${name}_in ${command.name === "" ? '""' : command.name}`)}`;
    const operand = `-n ${fishQuoted(`${name}_in ${command.name} 1`)} -f -a ${fishQuoted(command.choices.join(" "))}`;
    return [
      ...command.options.map((option) => `${condition} ${optionOf(option)}`),
      ...(command.choices.length > 0 ? [operand] : []),
    ];
  });
  return `# Completion of ${program} for fish.
# True if the cursor is in this command and, with a number, at this argument of it.
function ${name}_in
    set -l words (commandline -opc)
    set -e words[1]
    set -l command ""
    set -l arguments 1
    set -l waiting 0
    for word in $words
        if test $waiting = 1
            set waiting 0
        else if contains -- $word ${[...takers].join(" ")}
            set waiting 1
        else if string match -q -- '-?*' $word
            continue
        else if test "$command" = "" -a $arguments = 1; and contains -- $word ${names}
            set command $word
        else
            set arguments (math $arguments + 1)
        end
    end
    test "$command" = "$argv[1]"; or return 1
    test (count $argv) = 1; or test $arguments = "$argv[2]"
end
${others
  .map(({ name: word, description }) => `-n '${name}_in "" 1' -a ${fishQuoted(word)} -d ${fishQuoted(description)}`)
  .concat(lines)
  .map((line) => `complete -c ${program} ${line}`)
  .join("\n")}
`;
}

function optionOf({ flags, description, value, choices }: OptionWords): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  // -x: it takes a value, not a file; -r: it takes a value, which may be a file.
  const values = choices.length > 0 ? [`-x -a ${fishQuoted(choices.join(" "))}`] : value === undefined ? [] : ["-r"];
  return [...names, ...values, `-d ${fishQuoted(description)}`].join(" ");
}

function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
