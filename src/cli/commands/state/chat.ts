import { Option } from "commander";
import { type ChatFormat, chatFormats, chatHead, chatLine } from "../../../output/state/chat.js";
import { palette } from "../../../output/text/terminal-palette.js";
import { ChatLog } from "../../../state/chat-log.js";
import type { CommandLine } from "../../command-line.js";
import { type ColorOptions, takesColor } from "../../options/color.js";
import { formatOrJson } from "../../options/format.js";
import { addCaptureOptions, capturesArgument, filterOption, jsonOption, pagerOption } from "../../options/shared.js";
import type { ProcessIo } from "../../process-io.js";
import { CaptureRun } from "../../run/capture-run.js";
import { pageUnlessLive, withoutProgress } from "../../run/on-terminal.js";
import type { CaptureRunOptions } from "../../run/options.js";
import { lookedAt, readState } from "../../run/state.js";
import { isUnreadable } from "../../run/verdict.js";
import type { PagerOptions } from "../../writing/paged.js";

const EPILOGUE = `
What a server passes on is shown only if its original is not in the capture, and once.

Examples:
  moul-dissect chat session.pcap
  moul-dissect chat session.pcap --format markdown -o chat.md
  moul-dissect chat session.pcap --json | jq -r 'select(.channel == "private") | .text'`;

interface ChatOptions extends CaptureRunOptions, ColorOptions, PagerOptions {
  readonly format?: ChatFormat;
  readonly json?: boolean;
  readonly filter?: string;
}

/** Adds the command `chat` to the program. */
export function addChatCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("chat")
    .description("Prints what was said, each message once: who, when, to whom.")
    .addArgument(capturesArgument())
    .addOption(new Option("--format <format>", "how to print it (default: text)").choices(chatFormats))
    .addOption(jsonOption())
    .addOption(filterOption("print"))
    .addOption(pagerOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: ChatOptions) => {
      end(await chatCommand(captures, options, io));
    });
}

async function chatCommand(captures: readonly string[], options: ChatOptions, io: ProcessIo): Promise<number> {
  const format = formatOrJson(options, "text");
  const run = await CaptureRun.prepare(captures, withoutProgress(options, io), io);
  const colors = await palette(takesColor(options, io));
  const log = new ChatLog();
  let isSilent = true;
  if (format !== "json") await pageUnlessLive(run, options, io);
  run.output.write(chatHead(format));
  const result = await readState(run, {
    filter: options.filter,
    event: (event, at) => {
      if (event.kind !== "chat") return;
      const line = log.take(event, at);
      if (line === undefined) return;
      isSilent = false;
      run.output.write(chatLine(line, format, colors));
    },
  });
  if (isSilent && !isUnreadable(result)) run.remark(`nobody said anything${lookedAt(options.filter)}`);
  return run.finish();
}
