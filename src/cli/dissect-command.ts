import { createWriteStream } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { Status } from "../dissect/message.js";
import { type CaptureProblem, type Dissector, dissectCaptures, FilterError, type Message } from "../index.js";
import { jsonLine, jsonTreeLine } from "../output/json.js";
import { type Palette, palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { summaryLine } from "../output/summary-line.js";
import { textTree } from "../output/text-tree.js";
import { TimeColumn, type TimeFormat } from "../output/time-column.js";
import { takesColor } from "./color.js";
import { fieldsPrinter, passing } from "./display.js";
import { type DissectorOptions, decodeAsProblem, knownDissectors } from "./dissector-options.js";
import { ErrorOutput } from "./error-output.js";
import { ExitCode } from "./exit-code.js";
import { reportDissectorError, reportInternalError } from "./internal-error.js";
import { discoverKeys } from "./key-discovery.js";
import { overwritten } from "./overwriting.js";
import { PacketRemarks } from "./packet-remarks.js";
import { type Pager, pagerCommand, startPager } from "./pager.js";
import { type MaybeTerminal, Progress, sizesOf } from "./progress.js";
import { sdlKeys } from "./sdl-key.js";
import { TextOutput } from "./text-output.js";
import { Undecrypted } from "./undecrypted.js";

/** Formats of what is dissected, be it from a capture or not. */
export const valueFormats = ["tree", "summary", "json", "json-tree"] as const;
export type ValueFormat = (typeof valueFormats)[number];
export const formats = [...valueFormats, "fields"] as const;
export type Format = (typeof formats)[number];

/** What `--fail-on` can look for. */
export const failures = ["malformed", "truncated", "unknown", "undecrypted", "gap"] as const;
export type Failure = (typeof failures)[number];

/** Where the program lives: its streams and environment. */
export interface Surroundings {
  /** Standard input; that of the process unless another one is given. */
  readonly stdin?: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: MaybeTerminal;
  readonly env: NodeJS.ProcessEnv;
}

/** The options of the command, as the command line gives them. */
export interface DissectCommandOptions extends DissectorOptions {
  readonly format: Format;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly field?: readonly string[];
  readonly filter?: string;
  readonly decodeAs?: readonly string[];
  readonly keys?: readonly string[];
  readonly sdl?: readonly string[];
  readonly sdlKey?: string;
  readonly hex?: boolean;
  readonly checksums?: boolean;
  readonly time: TimeFormat;
  readonly count?: number;
  readonly output?: string;
  readonly failOn?: readonly Failure[];
  readonly strict?: boolean;
  readonly color: "auto" | "always" | "never";
  readonly quiet?: boolean;
  /** False for `--no-pager` and `--no-progress`. */
  readonly pager?: boolean;
  readonly progress?: boolean;
}

/** Dissects captures and prints their messages; gives the exit code. */
export async function dissectCommand(
  captures: readonly string[],
  options: DissectCommandOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, env } = surroundings;
  const stderr = new ErrorOutput(surroundings.stderr);
  const say = (text: string) => void stderr.write(`moul-dissect: ${printable(text)}\n`);
  const hushed: string[] = [];
  const remark = options.quiet ? (text: string) => void hushed.push(text) : say;
  const known = await knownDissectors(options);
  const misuse = typeof known === "string" ? known : decodeAsProblem(options.decodeAs ?? [], known.all);
  if (typeof known === "string" || misuse !== undefined) {
    say(String(misuse));
    return ExitCode.usage;
  }
  const keys = options.keys ?? (await discoverKeys(captures, env));
  if (options.output !== undefined) {
    const lost = await overwritten(options.output, [...captures, ...keys, ...(options.sdl ?? [])]);
    if (lost !== undefined) {
      say(`${options.output}: this is the input ${lost}, which would be overwritten`);
      return ExitCode.usage;
    }
  }
  const terminal = options.output === undefined && stdout.isTTY === true;
  const display = await displayOf(options, palette(takesColor(options.color, terminal, env)), known.all);
  if (typeof display === "string") {
    stderr.write(`moul-dissect: ${display}\n`);
    return ExitCode.usage;
  }
  const { passes, print } = display;
  const pager = terminal ? await openPager(captures, options, env) : undefined;
  if (pager !== undefined) stderr.hold();
  const output = outputTo(options.output === undefined ? (pager?.input ?? stdout) : options.output, stdout);
  // Whose reader has gone needs no more input either: what is wrong with it is not worth a word.
  const readerHasGone = () => output.closed || pager?.isClosed === true;
  const progress = terminal ? undefined : await progressOf(captures, options, surroundings.stderr);
  stderr.progress = progress;
  const wanted = new Set<Failure>(options.strict ? failures : options.failOn);
  const most = options.count ?? Number.POSITIVE_INFINITY;
  let failed = false;
  let crashed = false;
  let seen = 0;
  let printed = 0;
  const undecrypted = new Undecrypted();
  const ofPackets = new PacketRemarks();

  const listener = (message: Message) => {
    if (printed >= most) return;
    seen++;
    // What is wrong counts even if it is not displayed.
    const failure = failureOf(message);
    if (failure !== undefined && wanted.has(failure)) failed = true;
    if (message.status === "encrypted") undecrypted.add(message);
    if (!passes(message)) return;
    printed++;
    output.write(print(message));
  };
  const result = await dissectCaptures(
    captures,
    {
      keys: [...keys, ...sdlKeys(options)],
      definitions: options.sdl ?? [],
      dissectors: known.loaded,
      decodeAs: options.decodeAs ?? [],
      checksums: options.checksums ?? false,
      network: ofPackets,
      onProblem: (problem) => {
        if (!readerHasGone()) say(problemText(problem));
      },
      onRemark: remark,
      onInternalError: ({ error, dissector, stream, direction, offset }) => {
        crashed = true;
        const where = ` in stream ${stream}, ${direction}, offset ${offset}`;
        const isLoaded = known.loaded.some(({ name }) => name === dissector);
        if (isLoaded) reportDissectorError(stderr, dissector, where, error);
        else reportInternalError(stderr, where, error);
      },
    },
    listener,
    async (place) => {
      progress?.reached(place);
      // Whoever reads a live capture wants to see each message at once.
      output.flush();
      await output.drained();
      return !readerHasGone() && printed < most;
    },
  );
  progress?.clear();
  const isUnread = readerHasGone();
  await output.end();
  const pagerProblem = await pager?.closed;
  stderr.release();
  for (const text of [...undecrypted.remarks(), ...ofPackets.remarks(result.packets)]) remark(text);

  if (pagerProblem !== undefined) {
    say(pagerProblem);
    return ExitCode.input;
  }
  if (output.failure !== undefined) {
    say(`the output cannot be written: ${output.failure.message}`);
    return ExitCode.input;
  }
  if (crashed) return ExitCode.internal;
  const readable = result.captures.every((outcome) => outcome === "whole" || outcome === "stopped");
  if (readable && seen === 0) remark(nothingFound(result.packets.packets));
  if ((options.keys !== undefined && !result.keysComplete) || !result.definitionsComplete) {
    // Why the exit code is what it is has to be told.
    for (const text of hushed) say(text);
    return ExitCode.input;
  }
  if (!readable && !isUnread) return ExitCode.input;
  return failed ? ExitCode.found : ExitCode.done;
}

/** Where text goes: a file of this path, or a stream, which ends with the output unless it is standard output. */
function outputTo(target: string | Writable, stdout: Writable): TextOutput {
  if (typeof target === "string") return new TextOutput(createWriteStream(target), true);
  return new TextOutput(target, target !== stdout);
}

/** The pager for a terminal; undefined if none is wanted. */
async function openPager(
  captures: readonly string[],
  { format, json, pager }: DissectCommandOptions,
  env: NodeJS.ProcessEnv,
): Promise<Pager | undefined> {
  if (format !== "tree" || json || pager === false) return undefined;
  const command = await pagerCommand(env);
  if (command === undefined) return undefined;
  return startPager(command, env, () => {
    // It need not bring anything for long, and nobody waits for it any more.
    if (captures.includes("-")) process.stdin.destroy();
  });
}

/** Tells how far the reading has come; undefined if nobody wants to know. */
async function progressOf(
  captures: readonly string[],
  { quiet, progress }: DissectCommandOptions,
  terminal: MaybeTerminal,
): Promise<Progress | undefined> {
  const isWanted = terminal.isTTY === true && progress !== false && quiet !== true;
  return isWanted ? new Progress(terminal, await sizesOf(captures)) : undefined;
}

/** Which messages are shown, and how; or why neither can be, in lines for a terminal. */
async function displayOf(
  options: DissectCommandOptions,
  colors: Palette,
  dissectors: readonly Dissector[],
): Promise<{ passes: (message: Message) => boolean; print: (message: Message) => string } | string> {
  const isFields = options.format === "fields" && options.json !== true;
  const hasColumns = options.field !== undefined;
  if (isFields && !hasColumns) return "--format fields needs its columns: name each of them with -e";
  if (!isFields && (hasColumns || options.csv)) return "-e and --csv are of --format fields, and of no other format";
  try {
    const times = new TimeColumn(options.time);
    const filter = await passing(options.filter, dissectors);
    const passes = (message: Message) => {
      // Time counts from the start of the capture, whatever is shown of it.
      times.begin(message.conversation.first);
      return filter(message);
    };
    return { passes, print: await printer(options, times, colors, dissectors) };
  } catch (error) {
    if (error instanceof FilterError) return error.message.split("\n").map(printable).join("\n");
    throw error;
  }
}

async function printer(
  options: DissectCommandOptions,
  times: TimeColumn,
  colors: Palette,
  dissectors: readonly Dissector[],
): Promise<(message: Message) => string> {
  const style = { colors, times, hex: options.hex ?? false };
  switch (options.json ? "json" : options.format) {
    case "json":
      return jsonLine;
    case "json-tree":
      return jsonTreeLine;
    case "summary":
      return (message) => summaryLine(message, times, colors);
    case "tree":
      return (message) => textTree(message, style);
    case "fields":
      return fieldsPrinter(options.field ?? [], dissectors, options.csv ? "csv" : "tab");
  }
}

function nothingFound(packets: number): string {
  if (packets === 0) return "there are no packets in the capture";
  return (
    `no message of a known protocol was found in ${packets} ${packets === 1 ? "packet" : "packets"}; ` +
    "a connection is recognised by its first bytes, so the recording has to begin before it does"
  );
}

/** What is wrong with a capture, as a sentence that begins with its name. */
export function problemText({ file, frame, offset, text }: CaptureProblem): string {
  return frame === 0 && offset === 0 ? `${file}: ${text}` : `${file}: ${text} (frame ${frame}, offset ${offset})`;
}

const FAILURE_OF_STATUS: Readonly<Record<Status, Failure | undefined>> = {
  ok: undefined,
  malformed: "malformed",
  truncated: "truncated",
  unknown: "unknown",
  encrypted: "undecrypted",
};

function failureOf(message: Message): Failure | undefined {
  return message.name === "gap" ? "gap" : FAILURE_OF_STATUS[message.status];
}
