import { readFileSync } from "node:fs";
import { sep } from "node:path";
import { Readable } from "node:stream";
import { run } from "../support/command-line.js";

/** One command line of a golden file, with the remarks on it. */
export interface Example {
  /** Lines of text before it. */
  readonly remarks: readonly string[];
  /** The command line as written in the file. */
  readonly line: string;
}

/** The contents of a golden file: commands, which begin with `  $ `, and remarks, which are not indented. */
export function examplesIn(text: string): Example[] {
  const examples: Example[] = [];
  let remarks: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("  $ ")) {
      examples.push({ remarks, line: line.slice(4) });
      remarks = [];
    } else if (/^\S/.test(line)) remarks.push(line);
  }
  return examples;
}

/** Runs everything in a golden file; returns the text that the file should have. */
export async function performed(text: string): Promise<string> {
  const blocks: string[] = [];
  for (const { remarks, line } of examplesIn(text)) {
    const said = remarks.length === 0 ? "" : `${remarks.join("\n")}\n\n`;
    blocks.push(`${said}  $ ${line}\n${await outcomeOf(line)}`);
  }
  return blocks.join("\n");
}

/** A parsed command line: `NAME=value... moul-dissect argument... [< file] [| head -n N]`, or `cat file`. */
export interface Invocation {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | undefined;
  readonly lines: number;
}

export function invocationOf(line: string): Invocation {
  const words = wordsOf(line);
  const env: Record<string, string> = {};
  while (/^[A-Z_]+=/.test(words[0] ?? "")) {
    const [name = "", ...value] = (words.shift() ?? "").split("=");
    env[name] = value.join("=");
  }
  let lines = Number.POSITIVE_INFINITY;
  if (words.at(-4) === "|" && words.at(-3) === "head" && words.at(-2) === "-n") {
    lines = Number(words.at(-1));
    words.splice(-4);
  }
  const input = words.at(-2) === "<" ? words.splice(-2).at(-1) : undefined;
  if (words.includes("|")) throw new Error(`golden files know no other pipe than to head: ${line}`);
  const [program = "", ...args] = words;
  return { program, args, env, input, lines };
}

/** The words of a line; inside quotes, spaces are part of a word. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** What a command prints, in the form of a golden file: indented, standard error after "!", the exit code last. */
async function outcomeOf(line: string): Promise<string> {
  const { program, args, env, input, lines } = invocationOf(line);
  if (program === "cat") return indented(withoutTimes(readFileSync(args[0] ?? "", "utf8")), "");
  if (program !== "moul-dissect") throw new Error(`golden files know no command ${program}`);
  const stdin = Readable.from(input === undefined ? [] : [readFileSync(input)]);
  const { code, stdout, stderr } = await run(args, env, stdin);
  const shown = Number.isFinite(lines) ? stdout.split("\n").slice(0, lines).concat("").join("\n") : stdout;
  return indented(asOnPosix(shown), "") + indented(asOnPosix(stderr), "! ") + (code === 0 ? "" : `  [${code}]\n`);
}

/** A test report says when it was made, and how long that took. */
function withoutTimes(text: string): string {
  return text.replaceAll(/ (time|timestamp)="[\d.T:-]+"/g, ' $1="..."');
}

/** Turns file paths that the program builds into their form with `/` as the separator. */
function asOnPosix(text: string): string {
  return sep === "/" ? text : text.replaceAll("recordings\\", "recordings/");
}

function indented(text: string, mark: string): string {
  if (text === "") return "";
  const [last = "", ...others] = text.split("\n").reverse();
  // What is not indented would be read as a comment.
  const empty = mark === "" ? "" : `  ${mark.trimEnd()}`;
  const lines = others.reverse().map((line) => (line === "" ? empty : `  ${mark}${visible(line)}`));
  // Output without a final line break differs from output with one.
  if (last !== "") lines.push(`  ${mark}${visible(last)}`, "  (no line break at the end)");
  return lines.map((line) => `${line}\n`).join("");
}

/** Replaces control characters with their Unicode pictures: colours have to be visible, but must not take effect. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  return text.replaceAll(/[\u0000-\u001f]/g, (character) => String.fromCharCode(0x2400 + character.charCodeAt(0)));
}
