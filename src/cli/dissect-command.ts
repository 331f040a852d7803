import { createWriteStream } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { Status } from "../dissect/message.js";
import { type CaptureProblem, dissectCaptures, type Message } from "../index.js";
import { jsonLine, jsonTreeLine } from "../output/json.js";
import { type Palette, palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { summaryLine } from "../output/summary-line.js";
import { textTree } from "../output/text-tree.js";
import { TimeColumn, type TimeFormat } from "../output/time-column.js";
import { takesColor } from "./color.js";
import { ExitCode } from "./exit-code.js";
import { discoverKeys } from "./key-discovery.js";
import { sdlKeys } from "./sdl-key.js";
import { TextOutput } from "./text-output.js";

export const formats = ["tree", "summary", "json", "json-tree"] as const;
export type Format = (typeof formats)[number];

/** What `--fail-on` can look for. */
export const failures = ["malformed", "truncated", "unknown", "undecrypted", "gap"] as const;
export type Failure = (typeof failures)[number];

/** Where the program lives: its streams and environment. */
export interface Surroundings {
  /** Standard input; that of the process unless another one is given. */
  readonly stdin?: Readable;
  readonly stdout: Writable & { readonly isTTY?: boolean };
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
}

/** The options of the command, as the command line gives them. */
export interface DissectCommandOptions {
  readonly format: Format;
  readonly json?: boolean;
  readonly keys?: readonly string[];
  readonly sdl?: readonly string[];
  readonly sdlKey?: string;
  readonly hex?: boolean;
  readonly time: TimeFormat;
  readonly count?: number;
  readonly output?: string;
  readonly failOn?: readonly Failure[];
  readonly strict?: boolean;
  readonly color: "auto" | "always" | "never";
  readonly quiet?: boolean;
}

/** Dissects captures and prints their messages; gives the exit code. */
export async function dissectCommand(
  captures: readonly string[],
  options: DissectCommandOptions,
  { stdout, stderr, env }: Surroundings,
): Promise<number> {
  const say = (text: string) => void stderr.write(`moul-dissect: ${printable(text)}\n`);
  const remark = options.quiet ? () => {} : say;
  const terminal = options.output === undefined && stdout.isTTY === true;
  const print = printer(options, palette(takesColor(options.color, terminal, env)));
  const output = new TextOutput(options.output === undefined ? stdout : createWriteStream(options.output));
  const wanted = new Set<Failure>(options.strict ? failures : options.failOn);
  const most = options.count ?? Number.POSITIVE_INFINITY;
  let failed = false;
  let crashed = false;
  let printed = 0;
  const undecrypted = new Map<number, string>();

  const listener = (message: Message) => {
    if (printed >= most) return;
    printed++;
    output.write(print(message));
    const failure = failureOf(message);
    if (failure !== undefined && wanted.has(failure)) failed = true;
    if (message.status === "encrypted") {
      undecrypted.set(
        message.conversation.stream,
        `stream ${message.conversation.stream} (${message.protocol}) is ${message.notes[0]?.text}`,
      );
    }
  };
  const keys = [...(options.keys ?? (await discoverKeys(captures, env))), ...sdlKeys(options)];
  const result = await dissectCaptures(
    captures,
    {
      keys,
      definitions: options.sdl ?? [],
      onProblem: (problem) => say(problemText(problem)),
      onRemark: remark,
      onInternalError: ({ error, stream, direction, offset }) => {
        crashed = true;
        const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
        say(`internal error in stream ${stream}, ${direction}, offset ${offset}; please report it: ${what}`);
      },
    },
    listener,
    async () => {
      // Whoever reads a live capture wants to see each message at once.
      output.flush();
      await output.drained();
      return !output.closed && printed < most;
    },
  );
  await output.end();
  for (const text of undecrypted.values()) remark(text);

  if (output.failure !== undefined) {
    say(`the output cannot be written: ${output.failure.message}`);
    return ExitCode.input;
  }
  if (crashed) return ExitCode.internal;
  const readable = result.captures.every((outcome) => outcome === "whole" || outcome === "stopped");
  if (!readable || (options.keys !== undefined && !result.keysComplete)) return ExitCode.input;
  if (!result.definitionsComplete) return ExitCode.input;
  return failed ? ExitCode.found : ExitCode.done;
}

function printer(options: DissectCommandOptions, colors: Palette): (message: Message) => string {
  const times = new TimeColumn(options.time);
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
  }
}

function problemText({ file, frame, offset, text }: CaptureProblem): string {
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
