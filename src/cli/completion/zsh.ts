import { type CommandWords, type OptionWords, type ProgramWords, quoted } from "./words.js";

/** Completion for zsh: a file for a folder in `$fpath`, which can also be sourced. */
export function zshCompletion(program: string, [self, ...others]: ProgramWords): string {
  // zsh calls the file as a function of the same name: the one defined in it must have that name to replace it.
  const name = `_${program}`;
  const names = others.map((command) => command.name).join("|");
  const takers = self.options.filter(({ value }) => value !== undefined).flatMap(({ flags }) => flags);
  return `#compdef ${program}
# Completion of ${program} for zsh.
${name}() {
  local i
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      ${takers.join("|")}) ((++i)) ;;
      -?*) ;;
      ${names})
        ${name}_$words[i] $i
        return ;;
      *) break ;;
    esac
  done
  _arguments -s -S : \\
    ${[...self.options.map(optionSpecs), quoted(`1:command or file:${name}_first`), quoted("*:file:_files")].join(" \\\n    ")}
}
${name}_first() {
  local -a commands=(
    ${others.map((command) => quoted(`${escaped(command.name)}:${command.description}`)).join("\n    ")}
  )
  local found=1
  _describe -t commands command commands && found=0
  _files && found=0
  return found
}
${others.map((command) => commandFunction(name, command)).join("\n")}
if [[ $funcstack[1] == ${name} ]]; then
  ${name} "$@"
else
  compdef ${name} ${program}
fi
`;
}

/** Completes what follows the command, whose position is the argument. */
function commandFunction(name: string, command: CommandWords): string {
  const operands =
    command.choices.length > 0 ? [`1:word:(${command.choices.join(" ")})`, "*:file:_files"] : ["*:file:_files"];
  return `${name}_${command.name}() {
  words=("\${(@)words[$1,-1]}")
  ((CURRENT -= $1 - 1))
  _arguments -s -S : \\
    ${[...command.options.map(optionSpecs), ...operands.map(quoted)].join(" \\\n    ")}
}`;
}

function optionSpecs({ flags, description, value, choices }: OptionWords): string {
  const action = choices.length > 0 ? `(${choices.join(" ")})` : "_files";
  const tail = `[${escaped(description)}]${value === undefined ? "" : `:${escaped(value)}:${action}`}`;
  return flags
    .map((flag) => (value === undefined ? flag : flag.startsWith("--") ? `${flag}=` : `${flag}+`))
    .map((flag) => quoted(`*${flag}${tail}`))
    .join(" ");
}

function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, "\\$&");
}
