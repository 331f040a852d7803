import type { Command } from "commander";

/** The manual page of a program for man(1): its help and that of its commands. */
export function manPage(program: Command, version: string): string {
  const name = program.name();
  const commands = program.createHelp().visibleCommands(program);
  return [
    `.TH "${roff(name.toUpperCase())}" "1" "" "${roff(`${name} ${version}`)}" "User Commands"`,
    // Do not hyphenate options and paths, nor stretch blanks.
    ".nh",
    ".ad l",
    ".SH NAME",
    `${roff(name)} \\- ${line(program.description())}`,
    ".SH SYNOPSIS",
    ...synopsis(program),
    ...commands.flatMap((command) => [".br", ...synopsis(command, name)]),
    ".SH DESCRIPTION",
    line(program.description()),
    ...argumentsOf(program),
    ".SH OPTIONS",
    ...optionsOf(program),
    ".SH COMMANDS",
    ...commands.flatMap((command) => [
      `.SS "${roff(`${name} ${command.name()}`)}"`,
      line(command.description()),
      ...argumentsOf(command),
      ...optionsOf(command),
      ...epilogue(command, (heading) => [".PP", `${line(heading)}:`]),
    ]),
    ...epilogue(program, (heading) => [`.SH ${roff(heading.toUpperCase())}`]),
    "",
  ].join("\n");
}

function synopsis(command: Command, ...before: readonly string[]): string[] {
  return [`\\fB${roff([...before, command.name()].join(" "))}\\fR ${roff(command.usage())}`];
}

function argumentsOf(command: Command): string[] {
  const help = command.createHelp();
  return help.visibleArguments(command).flatMap((argument) => {
    return [".TP", `\\fI${roff(help.argumentTerm(argument))}\\fR`, line(help.argumentDescription(argument))];
  });
}

function optionsOf(command: Command): string[] {
  const help = command.createHelp();
  return help.visibleOptions(command).flatMap((option) => {
    return [".TP", `\\fB${roff(help.optionTerm(option))}\\fR`, line(help.optionDescription(option))];
  });
}

/** The text after the help of a command: paragraphs, and examples, which are indented. */
function epilogue(command: Command, heading: (text: string) => string[]): string[] {
  const paragraphs = textAfterHelp(command)
    .trim()
    .split(/\n{2,}/);
  return paragraphs.flatMap((paragraph) => {
    const [, title, rest = paragraph] = /^([A-Z][\w ]*):\s+(.*)$/s.exec(paragraph.trim()) ?? [];
    const lines = rest.split("\n").map((text) => text.trim());
    if (rest === "") return [];
    return [
      ...(title === undefined ? [".PP"] : heading(title)),
      ...(/\n {2}/.test(paragraph) ? [".RS 2", ".nf", ...lines.map(line), ".fi", ".RE"] : [line(lines.join(" "))]),
    ];
  });
}

/** Commander keeps this text to itself until help is printed, so it is printed into a string. */
function textAfterHelp(command: Command): string {
  const before = command.configureOutput();
  const parts: string[] = [];
  command.configureOutput({ ...before, writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  const help = command.helpInformation();
  command.configureOutput(before);
  const text = parts.join("");
  return text.slice(text.indexOf(help) + help.length);
}

/** Text for the middle of a line: characters that roff takes for commands, or prints as others, are escaped. */
function roff(text: string): string {
  return text.replace(/[\\\-'"`^~]|[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return NAMES[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, "0")}]`;
  });
}

const NAMES: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "-": "\\-",
  "'": "\\(aq",
  '"': "\\(dq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  "\n": " ",
};

/** A line of text; a full stop at its beginning would make it a request. */
function line(text: string): string {
  return roff(text).replace(/^\./, "\\&.");
}
