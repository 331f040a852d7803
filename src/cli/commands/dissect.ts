import { InvalidArgumentError, Option } from "commander";
import { counted } from "../../common/counted.js";
import type { Conversation, Direction, Message, Origin, RecognisedConversation } from "../../index.js";
import { palette } from "../../output/text/terminal-palette.js";
import { timeFormats } from "../../output/text/time-column.js";
import { AnswerBook } from "../../pipeline/answer-book.js";
import type { RunHooks } from "../../pipeline/options.js";
import { captureName, isReadOnce, STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { nothingFound } from "../../remarks/packet-kinds.js";
import { PacketRemarks } from "../../remarks/packet-remarks.js";
import { unansweredRemarks } from "../../remarks/unanswered.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import { refuseMistakenCommand } from "../arguments/mistaken-command.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { fileSizes } from "../file-size.js";
import { type DisplayOptions, displayOf, headerOf } from "../message-display.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { addFailOptions, type FailOptions, FailureWatch } from "../options/fail-on.js";
import { formatOf, formats } from "../options/format.js";
import {
  addCaptureOptions,
  capturesArgument,
  collect,
  filterOption,
  formatOption,
  hexOption,
  jsonOption,
  jsonVersionOption,
  pagerOption,
  wholeNumber,
} from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isReadable } from "../run/verdict.js";
import { workersFor } from "../run/workers.js";
import { saveColorFilters } from "../save-color-filters.js";
import { UsageError } from "../usage-error.js";
import { openPager, type PagerOptions } from "../writing/paged.js";
import type { Pager } from "../writing/pager.js";
import { printsToTerminal } from "../writing/printing.js";

const EPILOGUE = `
Keys: without --keys, capture.pcap.keys or capture.keys beside the capture is used, or else the file that the environment
variable MOULKEYLOGFILE names. If a file named with --keys or --sdl cannot be used, the exit code is 2; if one that was
found automatically cannot be used, there is only a remark.

Exit codes: 0 done; 1 wrong usage; 2 an input could not be read, or only in part, or the output could not be written;
3 --fail-on matched; 4 check found a difference; 70 internal error.

Examples:
  moul-dissect session.pcap --keys dirtsand.ini
  moul-dissect session.pcap --format summary
  moul-dissect session.pcap -Y 'result != kNetSuccess' --format summary
  moul-dissect session.pcap -Y 'objectName matches "^cPyth"' --csv -e number -e time -e objectName > objects.csv
  moul-dissect session.pcap --json | jq -c 'select(.status != "ok")'
  tcpdump -i eth0 -w - port 14617 | moul-dissect - --keys dirtsand.ini --format summary`;

/** More would only wait for the one that dissects. */
const MOST_THREADS = 8;

/** The options of the command, as the command line gives them. */
interface DissectCommandOptions extends CaptureRunOptions, ColorOptions, DisplayOptions, FailOptions, PagerOptions {
  readonly checksums?: boolean;
  readonly count?: number;
  readonly threads?: number;
  readonly twoPass?: boolean;
}

/** Makes the program dissect captures when no command is named. */
export function addDissecting({ program, io, end }: CommandLine): void {
  program
    .addArgument(
      capturesArgument(
        'capture files (pcap or pcapng, also compressed with gzip, Zstandard or LZ4), read in order of time; "-" reads standard input',
      ),
    )
    .addOption(formatOption(formats))
    .addOption(jsonOption())
    .addOption(jsonVersionOption())
    .addOption(
      new Option("-e, --field <path>", "a column for --format fields; paths are as in filters (repeatable)")
        .argParser(collect)
        .implies({ format: "fields" }),
    )
    .addOption(
      new Option(
        "--csv",
        "with fields: commas and quotes (RFC 4180) instead of tabs, below a line with the names of the columns",
      ).implies({ format: "fields" }),
    )
    .option("--no-header", "with --csv: without that line")
    .addOption(
      new Option(
        "--columns <names>",
        "with summary: the columns, with commas between them: time,source,info, or paths as in filters",
      ).implies({ format: "summary" }),
    )
    .addOption(
      new Option("--wide", "with summary: whole columns, even if they are wider than the terminal").implies({
        format: "summary",
      }),
    )
    .addOption(
      new Option(
        "--color-filter <rule>",
        "with summary: a colour for lines that pass a display filter: 'result != kNetSuccess=red' (repeatable; the first that fits counts)",
      )
        .argParser(collect)
        .implies({ format: "summary" }),
    )
    .addOption(
      new Option(
        "--color-filters <file>",
        "with summary: the same from a file in the format of Wireshark's colour filters",
      ).implies({ format: "summary" }),
    )
    .addOption(
      new Option("--save-color-filters <file>", "with summary: write the colour filters to such a file").implies({
        format: "summary",
      }),
    )
    .addOption(filterOption("show"))
    .addOption(hexOption())
    .addOption(
      new Option(
        "--time <form>",
        "how tree and summary show times; relative: since the first packet, delta: since the previous message shown (default: absolute)",
      ).choices(timeFormats),
    )
    .option("--checksums", "verify IPv4, TCP and UDP checksums, and note wrong ones")
    .option(
      "--two-pass",
      "read the captures twice, so that requests, too, know which message answers them (answeredBy in JSON and -e)",
    )
    .option("-c, --count <n>", "stop after N messages", (text) => wholeNumber(text, 1));
  addFailOptions(program)
    .option(
      "--threads <n>",
      `number of threads that print, up to ${MOST_THREADS} (default: 2 for large captures, 1 for columns)`,
      threadCount,
    )
    .addOption(pagerOption("with tree or summary, on a terminal"));
  addCaptureOptions(program)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: DissectCommandOptions) => {
      const names = program.commands.map((command) => command.name());
      await refuseMistakenCommand(captures[0] ?? "", names);
      end(await dissectCommand(captures, options, io));
    });
}

function threadCount(text: string): number {
  const count = wholeNumber(text, 1);
  if (count > MOST_THREADS) throw new InvalidArgumentError(`More than ${MOST_THREADS} would be of no use.`);
  return count;
}

/** Dissects captures and prints their messages; returns the exit code. */
async function dissectCommand(
  captures: readonly string[],
  options: DissectCommandOptions,
  io: ProcessIo,
): Promise<number> {
  // A terminal that shows the messages as they come needs no progress line as well.
  const isTerminal = printsToTerminal(options, io);
  const runOptions = isTerminal ? { ...options, progress: false } : options;
  const run = await CaptureRun.prepare(captures, runOptions, io);
  const isColored = takesColor(options, io);
  const terminalWidth = isTerminal ? () => run.columns : undefined;
  const display = await displayOf(options, await palette(isColored), run.prepared.dissectors, terminalWidth);
  for (const text of display.remarks ?? []) run.remark(text);
  if (options.saveColorFilters !== undefined) await saveColorFilters(options.saveColorFilters, options, run);
  const pager = await pagerFor(captures, options, io);
  if (pager !== undefined) run.printThrough(pager);
  const firstPass = options.twoPass === true ? await readFirst(run) : {};
  const workers = await workersFor(run, options, isColored || isTerminal, io);
  const { output } = run;
  output.write(await headerOf(options));

  const watch = new FailureWatch(options);
  const most = options.count ?? Number.POSITIVE_INFINITY;
  const undecrypted = new Undecrypted();
  const ofPackets = new PacketRemarks();
  const { requests } = display;
  let seen = 0;
  let printed = 0;
  const listener = (message: Message) => {
    if (printed >= most) return;
    seen++;
    // A fault counts even if it is not displayed.
    watch.see(message);
    undecrypted.see(message);
    const passes = display.passes(message);
    requests?.see(message, passes);
    if (!passes) return;
    printed++;
    if (workers?.takes(message) === true) return;
    (workers ?? output).write(display.print(message));
  };
  const goesOn = async () => {
    await workers?.caughtUp();
    return printed < most;
  };
  const work = {
    ...workers?.hooks,
    ...firstPass,
    listener,
    network: {
      began: (first: Origin) => {
        display.begin(first);
        workers?.began(first);
      },
      checksum: ofPackets.checksum.bind(ofPackets),
      comparesRepeats: true,
      opened: (conversation: Conversation) => {
        const conflict = ofPackets.conflictsOf(conversation);
        return {
          recognised: (session: RecognisedConversation) => workers?.recognised(session),
          conflict: (_direction: Direction, differing: number) => conflict(differing),
        };
      },
    },
    checksums: options.checksums ?? false,
    // Workers build the trees of the messages that they print.
    skims: workers !== undefined,
    goesOn,
    finish: () => workers?.finish(),
  };
  const result = await run.read(work).finally(() => workers?.stop());
  for (const text of [...undecrypted.remarks(), ...ofPackets.remarks(result.packets)]) run.remark(text);
  // Of a capture that was not read to its end, nobody knows.
  const isWhole = printed < most && !run.isInterrupted && !result.captures.includes("stopped");
  if (requests !== undefined && isWhole) for (const text of unansweredRemarks(requests)) run.remark(text);
  if (seen === 0 && isReadable(result)) run.remark(nothingFound(result.packets));
  const passesNone = options.filter !== undefined && printed === 0 && seen > 0;
  if (passesNone && io.stderr.isTTY === true) run.remark(nonePasses(seen));
  return run.finish(watch.hasFailed ? ExitCode.found : ExitCode.done);
}

/**
 * Reads the captures for what only later messages tell about earlier ones.
 *
 * @throws UsageError if a capture cannot be read twice
 */
async function readFirst(
  run: CaptureRun,
): Promise<Pick<RunHooks, "answeredBy"> & { readonly lengths: readonly number[] }> {
  const { captures } = run.prepared;
  for (const capture of captures) {
    if (!(await isReadOnce(capture))) continue;
    const name = captureName(capture);
    throw new UsageError(`--two-pass reads a capture twice, which ${name} does not allow: save it to a file first`);
  }
  // What comes later, to a capture that is still growing, is not part of it.
  const lengths = (await fileSizes(captures)) ?? [];
  const book = new AnswerBook();
  await run.read({ lengths, listener: (message) => book.see(message), skims: true, isRepeat: true });
  return { answeredBy: book.answeredBy, lengths };
}

/** Starts the pager for what people read, if they want one. */
async function pagerFor(
  captures: readonly string[],
  options: DissectCommandOptions,
  io: ProcessIo,
): Promise<Pager | undefined> {
  const format = formatOf(options);
  const isLive = captures.includes(STANDARD_INPUT);
  // Lines of live traffic are watched as they come.
  if (format !== "tree" && (format !== "summary" || isLive)) return undefined;
  return openPager(options, io, () => {
    // Standard input may bring nothing for a long time, and nobody wants more output.
    if (isLive) process.stdin.destroy();
  });
}

/** What a terminal says if there is nothing to see: a filter may be mistaken in ways that nothing else shows. */
function nonePasses(seen: number): string {
  return `0 of ${counted(seen, "message")} ${seen === 1 ? "passes" : "pass"}`;
}
