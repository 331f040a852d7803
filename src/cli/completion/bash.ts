import { type CommandWords, functionName, type ProgramWords, quoted } from "./words.js";

/**
 * Completion for bash 3.2, the version of macOS, and later. Where the function finds no words, bash itself completes
 * file names (`-o default`).
 */
export function bashCompletion(program: string, commands: ProgramWords): string {
  const name = functionName(program);
  const [, ...others] = commands;
  const names = others.map((command) => command.name);
  const options = commands.flatMap((command) => {
    return command.options.map((option) => ({ ...option, keys: keysOf(command.name, option.flags) }));
  });
  // Options of a command may come before its name.
  const taking = options.filter(({ value }) => value !== undefined);
  const takers = new Set(taking.flatMap(({ keys, flags }) => [...keys, ...keysOf("", flags)]));
  const choosers = options.filter(({ choices }) => choices.length > 0);
  return `# Completion of ${program} for bash.
${name}() {
  local IFS=$' \\t\\n' current=\${COMP_WORDS[COMP_CWORD]} word command= waiting= operands=0 words= file i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    # Bash splits --option=value at the equals sign.
    if [[ -n $waiting ]]; then
      [[ $word == "=" ]] || waiting=
      continue
    fi
    case $command:$word in
      ${[...takers].join(" | ")}) waiting=$word ;;
      *:-?*) ;;
      ${names.map((word) => `:${word}`).join(" | ")}) if ((operands == 0)); then command=$word; else ((++operands)); fi ;;
      *) ((++operands)) ;;
    esac
  done
  if [[ -n $waiting ]]; then
    [[ $current == "=" ]] && current=
    case $command:$waiting in
${choosers.map(({ keys, choices }) => `      ${keys.join(" | ")}) words=${list(choices)} ;;`).join("\n")}
    esac
  elif [[ $current == -* ]]; then
    case $command in
${commands.map((command) => `      ${pattern(command)}) words=${list(command.options.flatMap(({ flags }) => flags))} ;;`).join("\n")}
    esac
  elif ((operands == 0)); then
    case $command in
      "") words=${list(names)} ;;
${commands
  .filter(({ choices }) => choices.length > 0)
  .map((command) => `      ${pattern(command)}) words=${list(command.choices)} ;;`)
  .join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Instead of a command there may be a file; compopt makes bash quote its name.
  if [[ -z $command$waiting && $current != -* ]] && compopt -o filenames 2> /dev/null; then
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$current")
  fi
}
complete -o default -F ${name} ${program}
`;
}

function keysOf(command: string, flags: readonly string[]): readonly string[] {
  return flags.map((flag) => `${command}:${flag}`);
}

function pattern({ name }: CommandWords): string {
  return name === "" ? '""' : name;
}

function list(words: readonly string[]): string {
  return quoted(words.join(" "));
}
