import { Option } from "commander";
import { isAssembled } from "../../dissect/message.js";
import type { Message } from "../../index.js";
import { followed } from "../../output/text/follow.js";
import { palette } from "../../output/text/terminal-palette.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { addCaptureOptions, capturesArgument, pagerOption, wholeNumber } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import { pageUnlessLive, withoutProgress } from "../run/on-terminal.js";
import type { CaptureRunOptions } from "../run/options.js";
import { UsageError } from "../usage-error.js";
import type { PagerOptions } from "../writing/paged.js";
import { printsToTerminal } from "../writing/printing.js";

/** How the bytes are shown. */
const followForms = ["text", "hex", "raw"] as const;
const followDirections = ["both", "c2s", "s2c"] as const;

const EPILOGUE = `
Examples:
  moul-dissect follow session.pcap --stream 3 --as hex
  moul-dissect follow session.pcap --stream 3 --as raw --direction s2c -o server.bin`;

/** The options of the command, as the command line gives them. */
interface FollowCommandOptions extends CaptureRunOptions, ColorOptions, PagerOptions {
  readonly stream: number;
  readonly as: (typeof followForms)[number];
  readonly direction: (typeof followDirections)[number];
}

/** Adds the command `follow` to the program. */
export function addFollowCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("follow")
    .description("Prints the plaintext of one conversation, decrypted as far as possible, and says what is missing.")
    .addArgument(capturesArgument())
    .addOption(
      new Option("--stream <n>", "number of the conversation, as shown by streams and --format summary")
        .argParser((text) => wholeNumber(text, 0))
        .makeOptionMandatory(),
    )
    .addOption(new Option("--as <form>", "how the bytes are shown").choices(followForms).default("text"))
    .addOption(new Option("--direction <which>", "whose bytes are shown").choices(followDirections).default("both"))
    .addOption(pagerOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: FollowCommandOptions) => {
      end(await followCommand(captures, options, io));
    });
}

/** Prints the plaintext of one conversation; returns the exit code. */
async function followCommand(
  captures: readonly string[],
  options: FollowCommandOptions,
  io: ProcessIo,
): Promise<number> {
  const isTerminal = printsToTerminal(options, io);
  refuseMisuse(options, isTerminal);
  const run = await CaptureRun.prepare(captures, withoutProgress(options, io), io);
  const { stream, as, direction } = options;
  const colors = await palette(takesColor(options, io));
  await pageUnlessLive(run, options, io);
  let streams = 0;
  let seen = 0;
  let isOver = false;
  const show = (message: Message) => {
    if (isAssembled(message)) return;
    seen++;
    if (direction !== "both" && message.direction !== direction) return;
    if (as !== "raw") run.output.write(followed(message, as, colors));
    else if (message.nodes !== undefined) run.output.write(message.nodes.bytes(0));
    else run.remark(`${message.direction}, offset ${message.offset}: ${message.notes[0]?.text ?? message.name}`);
  };
  await run.read({
    network: {
      opened: (conversation) => {
        streams++;
        if (conversation.stream !== stream) return undefined;
        return {
          closed: () => {
            isOver = true;
          },
        };
      },
    },
    listener: (message) => {
      if (message.conversation.stream === stream) show(message);
    },
    goesOn: () => !isOver,
  });
  const code = await run.finish();
  if (stream >= streams && code === ExitCode.done) {
    run.say(`there is no stream ${stream}; moul-dissect streams lists them all`);
    return ExitCode.usage;
  }
  if (seen === 0 && stream < streams) {
    run.remark(
      `the protocol of stream ${stream} is not recognised, or it carries no data; --decode-as can name the protocol`,
    );
  }
  return code;
}

/** @throws UsageError for raw bytes of both directions, or on a terminal */
function refuseMisuse({ as, direction }: FollowCommandOptions, isTerminal: boolean): void {
  if (as !== "raw") return;
  if (direction === "both") {
    throw new UsageError("--as raw writes the bytes of one direction: choose one with --direction c2s or s2c");
  }
  if (isTerminal) {
    throw new UsageError("refusing to write raw bytes to a terminal; use -o or a pipe");
  }
}
