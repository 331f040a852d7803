import { counted } from "../../common/counted.js";
import { textFormsOf } from "../../dissector/text-forms.js";
import { TextSearch } from "../../find/search.js";
import type { Message, Origin } from "../../index.js";
import { hitLine } from "../../output/search/hit-json.js";
import { hitLines } from "../../output/search/hit-text.js";
import type { Palette } from "../../output/text/palette.js";
import { palette } from "../../output/text/terminal-palette.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import type { CommandLine } from "../command-line.js";
import {
  captureOfLine,
  eachOption,
  type Recording,
  recordingsOf,
  remarkOn,
  titleOf,
} from "../dissecting/recordings.js";
import { displayOf, passing } from "../message-display.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import {
  addCaptureOptions,
  capturesArgument,
  filterOption,
  jsonFormatOption,
  jsonOption,
  pagerOption,
  wholeNumber,
} from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import { pageUnlessLive, withoutProgress } from "../run/on-terminal.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isUnreadable } from "../run/verdict.js";
import { UsageError } from "../usage-error.js";
import type { PagerOptions } from "../writing/paged.js";
import { printsToTerminal } from "../writing/printing.js";

const EPILOGUE = `
The text is looked for, without regard to case, in the names of messages, classes and objects; in values and what they
stand for, such as the names of players (a number has to be the whole value); and, exactly as it is, in bytes: in UTF-8,
UTF-16 and Latin-1, in the forms that protocols have (MOUL inverts its texts), and, if it is hexadecimal (1f:8b, 0x1f8b,
or at least 8 digits), as these bytes. Each message comes with the places. In filters, there is also
"frame contains 'text'". To find a field by its name: moul-dissect fields --search WORD.

Examples:
  moul-dissect find Bevin session.pcap
  moul-dissect find 10124 session.pcap -Y "direction == c2s"
  moul-dissect find 1f:8b session.pcap --json | jq .number`;

/** The options of the command, as the command line gives them. */
interface FindCommandOptions extends CaptureRunOptions, ColorOptions, PagerOptions {
  readonly json?: boolean;
  readonly filter?: string;
  readonly count?: number;
  readonly each?: boolean;
}

/** Adds the command `find` to the program. */
export function addFindCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("find")
    .description("Finds a text, a number or bytes in the names, values and bytes of messages.")
    .argument("<text>", "what to find")
    .addArgument(capturesArgument())
    .addOption(jsonOption("each message, with the places, as a JSON object on a line of its own"))
    .addOption(jsonFormatOption())
    .addOption(filterOption("search"))
    .addOption(eachOption())
    .option("-c, --count <n>", "stop after N messages", (text) => wholeNumber(text, 1))
    .addOption(pagerOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (text: string, captures: readonly string[], options: FindCommandOptions) => {
      end(await findCommand(text, captures, options, io));
    });
}

/** Prints the messages in which a text occurs; returns the exit code. */
async function findCommand(
  text: string,
  captures: readonly string[],
  options: FindCommandOptions,
  io: ProcessIo,
): Promise<number> {
  if (text === "") throw new UsageError("find needs a text that is not empty");
  const run = await CaptureRun.prepare(captures, withoutProgress(options, io), io, {
    areOneRecording: options.each !== true,
  });
  const { dissectors } = run.prepared;
  const passes = await passing(options.filter, dissectors);
  const colors = await palette(takesColor(options, io));
  const isTerminal = printsToTerminal(options, io);
  const summary = await displayOf(
    { format: "summary" },
    colors,
    dissectors,
    isTerminal ? () => run.columns : undefined,
  );
  const search = new TextSearch(text, textFormsOf(dissectors));
  if (!options.json) await pageUnlessLive(run, options, io);
  const remaining = { count: options.count ?? Number.POSITIVE_INFINITY, isFirst: true };
  for (const recording of recordingsOf(run.prepared.captures, options.each)) {
    if (run.isInterrupted || remaining.count <= 0) break;
    await findIn(run, recording, { search, passes, summary, colors, json: options.json === true, remaining });
  }
  return run.finish();
}

/** What a search needs in each recording. */
interface Finding {
  readonly search: TextSearch;
  readonly passes: (message: Message) => boolean;
  readonly summary: Awaited<ReturnType<typeof displayOf>>;
  readonly colors: Palette;
  readonly json: boolean;
  /** How many more messages are wanted, and whether the next one is the first of all. */
  readonly remaining: { count: number; isFirst: boolean };
}

async function findIn(
  run: CaptureRun,
  recording: Recording,
  { search, passes, summary, colors, json, remaining }: Finding,
): Promise<void> {
  const capture = captureOfLine(recording);
  let seen = 0;
  let found = 0;
  let unread = 0;
  const undecrypted = new Undecrypted();
  const listener = (message: Message) => {
    if (remaining.count <= 0) return;
    // What is encrypted passes few filters, and may hold what would.
    undecrypted.see(message);
    const isSearched = passes(message);
    summary.requests?.see(message, false);
    if (!isSearched) return;
    if (message.nodes === undefined) {
      if (message.name !== "gap") unread += message.length;
      return;
    }
    seen++;
    const hits = search.hitsIn(message);
    if (hits.length === 0) return;
    found++;
    remaining.count--;
    if (json) {
      run.output.write(hitLine(message, hits, capture));
      return;
    }
    if (found === 1) run.output.write(titleOf(recording, colors.heading, remaining.isFirst));
    remaining.isFirst = false;
    run.output.write(summary.print(message));
    run.output.write(hitLines(hits, colors, run.columns));
  };
  const { captures, alone } = recording;
  const work = {
    listener,
    network: { began: (first: Origin) => summary.begin(first) },
    goesOn: () => remaining.count > 0,
  };
  const result = await run.read({ ...work, ...(alone && { alone: alone.index }) }, captures);
  if (isUnreadable(result)) return;
  remarkOn(run, recording, `found in ${found} of ${counted(seen, "message")}`);
  if (unread > 0) remarkOn(run, recording, `${counted(unread, "byte")} that could not be read were not searched`);
  for (const text of undecrypted.remarks()) remarkOn(run, recording, text);
}
