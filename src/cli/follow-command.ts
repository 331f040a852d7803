import type { Message } from "../index.js";
import { followed } from "../output/follow.js";
import { palette } from "../output/palette.js";
import { printable } from "../output/sanitise.js";
import { CaptureRun, type CaptureRunOptions } from "./capture-run.js";
import { takesColor } from "./color.js";
import { ExitCode } from "./exit-code.js";
import type { Surroundings } from "./surroundings.js";

/** How the bytes are shown. */
export const followForms = ["text", "hex", "raw"] as const;
export const followDirections = ["both", "c2s", "s2c"] as const;

/** The options of the command, as the command line gives them. */
export interface FollowCommandOptions extends CaptureRunOptions {
  readonly stream: number;
  readonly as: (typeof followForms)[number];
  readonly direction: (typeof followDirections)[number];
}

/** Prints the plaintext of one conversation; gives the exit code. */
export async function followCommand(
  capture: string,
  options: FollowCommandOptions,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout, stderr, env } = surroundings;
  const misuse = misuseOf(options, stdout.isTTY === true);
  // What is printed as it comes would run into a progress line on the same terminal.
  const isQuiet = options.output === undefined && stdout.isTTY === true;
  const runOptions = isQuiet ? { ...options, progress: false } : options;
  const run = misuse ?? (await CaptureRun.prepare([capture], runOptions, surroundings));
  if (typeof run === "string") {
    stderr.write(`moul-dissect: ${printable(run)}\n`);
    return ExitCode.usage;
  }
  const { stream, as, direction } = options;
  const colors = palette(takesColor(options.color, run.isTerminal, env));
  let streams = 0;
  let seen = 0;
  let isOver = false;
  const show = (message: Message) => {
    // What was put together from several messages has stood in them already.
    if (message.nodes?.sources[0]?.kind === "assembled") return;
    seen++;
    if (direction !== "both" && message.direction !== direction) return;
    if (as !== "raw") run.output.write(followed(message, as, colors));
    else if (message.nodes !== undefined) run.output.writeBytes(message.nodes.bytes(0));
    else run.remark(`${message.direction}, offset ${message.offset}: ${message.notes[0]?.text ?? message.name}`);
  };
  await run.read({
    network: {
      opened: () => {
        streams++;
      },
      closed: (conversation) => {
        isOver ||= conversation.stream === stream;
      },
    },
    listener: (message) => {
      if (message.conversation.stream === stream) show(message);
    },
    goesOn: () => !isOver,
  });
  const code = await run.finish();
  if (stream >= streams && code === ExitCode.done) {
    run.say(`there is no stream ${stream}; moul-dissect streams lists those that there are`);
    return ExitCode.usage;
  }
  if (seen === 0 && stream < streams) {
    run.remark(`nobody knows what stream ${stream} speaks, or it brings nothing; --decode-as can say what it speaks`);
  }
  return code;
}

function misuseOf({ as, direction, output }: FollowCommandOptions, isTerminal: boolean): string | undefined {
  if (as !== "raw") return undefined;
  if (direction === "both") return "--as raw writes the bytes of one direction: choose it with --direction c2s or s2c";
  return isTerminal && output === undefined
    ? "raw bytes are not for a terminal: write them to a file with -o, or into a pipe"
    : undefined;
}
