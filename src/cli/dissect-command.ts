import type { Message } from "../index.js";
import { palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { CaptureRun, type CaptureRunOptions, isReadable, printsToTerminal } from "./capture-run.js";
import { takesColor } from "./color.js";
import { ExitCode } from "./exit-code.js";
import { type Failure, failureOf, failures } from "./fail-on.js";
import { type DisplayOptions, displayOf } from "./message-display.js";
import { PacketRemarks } from "./packet-remarks.js";
import { type Pager, pagerCommand, startPager } from "./pager.js";
import type { Surroundings } from "./surroundings.js";
import { Undecrypted } from "./undecrypted.js";

/** The options of the command, as the command line gives them. */
export interface DissectCommandOptions extends CaptureRunOptions, DisplayOptions {
  readonly checksums?: boolean;
  readonly count?: number;
  readonly failOn?: readonly Failure[];
  readonly strict?: boolean;
  /** False for `--no-pager`. */
  readonly pager?: boolean;
}

/** Dissects captures and prints their messages; gives the exit code. */
export async function dissectCommand(
  captures: readonly string[],
  options: DissectCommandOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { stderr, env } = surroundings;
  // A terminal that shows the messages as they come needs no progress beside them.
  const isTerminal = printsToTerminal(options, surroundings);
  const runOptions = isTerminal ? { ...options, progress: false } : options;
  const run = await CaptureRun.prepare(captures, runOptions, surroundings);
  if (typeof run === "string") {
    stderr.write(`moul-dissect: ${printable(run)}\n`);
    return ExitCode.usage;
  }
  const display = await displayOf(options, palette(takesColor(options.color, isTerminal, env)), run.dissectors);
  if (typeof display === "string") {
    stderr.write(`moul-dissect: ${display}\n`);
    return ExitCode.usage;
  }
  const pager = isTerminal ? await openPager(captures, options, env) : undefined;
  if (pager !== undefined) run.printThrough(pager);
  const { output } = run;

  const wanted = new Set<Failure>(options.strict ? failures : options.failOn);
  const most = options.count ?? Number.POSITIVE_INFINITY;
  const undecrypted = new Undecrypted();
  const ofPackets = new PacketRemarks();
  let failed = false;
  let seen = 0;
  let printed = 0;
  const listener = (message: Message) => {
    if (printed >= most) return;
    seen++;
    // What is wrong counts even if it is not displayed.
    const failure = failureOf(message);
    if (failure !== undefined && wanted.has(failure)) failed = true;
    if (message.status === "encrypted") undecrypted.add(message);
    if (!display.passes(message)) return;
    printed++;
    output.write(display.print(message));
  };
  const result = await run.read({
    listener,
    network: ofPackets,
    checksums: options.checksums ?? false,
    goesOn: () => printed < most,
  });
  for (const text of [...undecrypted.remarks(), ...ofPackets.remarks(result.packets)]) run.remark(text);
  if (seen === 0 && isReadable(result)) run.remark(nothingFound(result.packets.packets));
  return run.finish(failed ? ExitCode.found : ExitCode.done);
}

/** The pager for the field trees, if the user wants one. */
async function openPager(
  captures: readonly string[],
  { format, json, pager }: DissectCommandOptions,
  env: NodeJS.ProcessEnv,
): Promise<Pager | undefined> {
  const command = format === "tree" && json !== true && pager !== false ? await pagerCommand(env) : undefined;
  if (command === undefined) return undefined;
  return startPager(command, env, () => {
    // It need not bring anything for long, and nobody waits for it any more.
    if (captures.includes("-")) process.stdin.destroy();
  });
}

function nothingFound(packets: number): string {
  if (packets === 0) return "there are no packets in the capture";
  return (
    `no message of a known protocol was found in ${packets} ${packets === 1 ? "packet" : "packets"}; ` +
    "a connection is recognised by its first bytes, so the recording has to begin before it does"
  );
}
