import { relative, sep } from "node:path";
import { createInterface } from "node:readline/promises";
import { counted } from "../../common/counted.js";
import { filterWord } from "../../output/text/filter-word.js";
import { palette } from "../../output/text/terminal-palette.js";
import { exists } from "../../platform/node/exists.js";
import type { CommandLine, Main } from "../command-line.js";
import { CapturedOutput } from "../demo/captured-output.js";
import { ENDING, OPENING, SAMPLE, type Step, steps } from "../demo/steps.js";
import { ExitCode } from "../exit-code.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { addOutputOptions } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { samplePath } from "../sample-path.js";
import { say } from "../say.js";
import { finishPrinting, outputOf, printsToTerminal } from "../writing/printing.js";

const CAPTURE = "dirtsand-session.pcap";

/** Adds the command `demo` to the program. */
export function addDemoCommand({ program, io, end, main }: CommandLine): void {
  const command = program
    .command("demo")
    .description("Shows on a recorded session what this program does, step by step.");
  addOutputOptions(command).action(async (options: ColorOptions) => {
    end(await demoCommand(options, io, main));
  });
}

/** Takes the user on the tour; returns the exit code. */
async function demoCommand(options: ColorOptions, io: ProcessIo, main: Main): Promise<number> {
  const sample = samplePath(CAPTURE);
  if (!(await exists(sample))) {
    say(io.stderr, `${sample}: the recordings that come with the program are not there`);
    return ExitCode.input;
  }
  const output = await outputOf(options, io);
  const { heading, faint } = await palette(takesColor(options, io));
  const isTerminal = printsToTerminal(options, io);
  // A person reads at leisure; a pipe gets everything at once.
  const reader = isTerminal && process.stdin.isTTY ? createInterface(process.stdin, process.stdout) : undefined;
  try {
    output.write(`${OPENING}\n`);
    for (const [index, step] of steps.entries()) {
      const text = `\n${heading(`${index + 1}/${steps.length} ${step.text}`)}\n\n`;
      output.write(text);
      output.write(
        `${faint("$")} ${commandText(step, sample)}\n${await outputOfStep(step, sample, options, io, main)}`,
      );
      await output.drained();
      output.flush();
      if (output.closed || (reader !== undefined && !(await goesOn(reader, index)))) break;
    }
    output.write(`\n${ENDING}\n`);
  } finally {
    reader?.close();
  }
  return finishPrinting(output, io);
}

/** Asks whether to go on; not after the last step. */
async function goesOn(reader: ReturnType<typeof createInterface>, index: number): Promise<boolean> {
  if (index === steps.length - 1) return true;
  const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("q")));
  const answer = await Promise.race([reader.question("\nEnter goes on, q ends the tour: "), closed]);
  return !/^q/i.test(answer.trim());
}

/** A command as the user would type it. */
function commandText({ args }: Step, sample: string): string {
  const path = relative("", sample);
  const shown = path.startsWith("..") ? sample : path;
  return `moul-dissect ${args.map((word) => (word === SAMPLE ? pathWord(shown) : shellWord(word))).join(" ")}`;
}

/** What no shell takes for anything else. */
const NEEDS_NO_QUOTES = /^[\w./:,-]+$/;

function shellWord(word: string): string {
  return NEEDS_NO_QUOTES.test(word) ? word : filterWord(word);
}

function pathWord(path: string): string {
  if (NEEDS_NO_QUOTES.test(path.replaceAll(sep, "/"))) return path;
  return sep === "\\" ? `"${path}"` : `'${path.replaceAll("'", "'\\''")}'`;
}

/** The beginning of what a command prints here. */
async function outputOfStep(
  { args, most }: Step,
  sample: string,
  options: ColorOptions,
  io: ProcessIo,
  main: Main,
): Promise<string> {
  const isTerminal = printsToTerminal(options, io);
  const shown = new CapturedOutput(isTerminal, io.stdout.columns || 80);
  const words = args.map((word) => (word === SAMPLE ? sample : word));
  const hasPager = args[0] !== "decode";
  const more = [...(hasPager ? ["--no-pager", "-q"] : []), "--color", takesColor(options, io) ? "always" : "never"];
  await main([...words, ...more], { ...io, stdout: shown, stderr: new CapturedOutput(false, 0) });
  const { first, count } = shown.lines(most);
  const rest = count > first.length ? `... (${counted(count - first.length, "more line")})\n` : "";
  return `${first.join("\n")}\n${rest}`;
}
