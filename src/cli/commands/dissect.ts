import { Option } from "commander";
import { palette } from "../../output/text/terminal-palette.js";
import { timeFormats } from "../../output/text/time-column.js";
import { STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { RepeatedSessions } from "../../remarks/repeated-sessions.js";
import { refuseMistakenCommand } from "../arguments/mistaken-command.js";
import type { CommandLine } from "../command-line.js";
import { withCaptureColumn } from "../dissecting/label.js";
import { printRecording } from "../dissecting/print-recording.js";
import { recordingsOf } from "../dissecting/recordings.js";
import type { PrintingOptions } from "../dividing/printing.js";
import { ExitCode } from "../exit-code.js";
import { displayOf, headerOf } from "../message-display.js";
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
  MOST_THREADS,
  pagerOption,
  threadCount,
  wholeNumber,
} from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import { withoutProgress } from "../run/on-terminal.js";
import { saveColorFilters } from "../save-color-filters.js";
import { openPager, type PagerOptions } from "../writing/paged.js";
import type { Pager } from "../writing/pager.js";

const EPILOGUE = `
Keys: without --keys, capture.pcap.keys or capture.keys beside the capture is used, or else the file that the environment
variable MOULKEYLOGFILE names. If a file named with --keys or --sdl cannot be used, the exit code is 2; if one that was
found automatically cannot be used, there is only a remark.

Exit codes: 0 done; 1 wrong usage; 2 an input could not be read, or only in part, or the output could not be written;
3 --fail-on matched; 4 check found a difference; 70 internal error.

Examples:
  moul-dissect session.pcap --keys dirtsand.ini
  moul-dissect session.pcap --format summary
  moul-dissect session.pcap -Y "result != kNetSuccess" --format summary
  moul-dissect session.pcap -Y "objectName matches '^cPyth'" --csv -e number -e time -e objectName -o objects.csv
  moul-dissect session.pcap --json | jq -c 'select(.status != "ok")'
  tcpdump -i eth0 -w - port 14617 | moul-dissect - --keys dirtsand.ini --format summary`;

/** The options of the command, as the command line gives them. */
interface DissectCommandOptions extends PrintingOptions, ColorOptions, FailOptions, PagerOptions {
  readonly each?: boolean;
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
        "with summary: a colour for lines that pass a display filter: gap=red (repeatable; the first that fits counts)",
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
    .option("--each", "each capture is a recording of its own; every line begins with its name")
    .option("-c, --count <n>", "stop after N messages", (text) => wholeNumber(text, 1));
  addFailOptions(program)
    .option(
      "--threads <n>",
      `number of threads that print, up to ${MOST_THREADS} (default: several for large captures)`,
      threadCount,
    )
    .addOption(pagerOption("with tree or summary, on a terminal"));
  addCaptureOptions(program)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: DissectCommandOptions) => {
      await refuseMistakenCommand(captures[0] ?? "");
      end(await dissectCommand(captures, options, io));
    });
}

/** Dissects captures and prints their messages; returns the exit code. */
async function dissectCommand(
  captures: readonly string[],
  options: DissectCommandOptions,
  io: ProcessIo,
): Promise<number> {
  const isEach = options.each === true;
  const run = await CaptureRun.prepare(captures, withoutProgress(options, io), io, { areOneRecording: !isEach });
  const recordings = recordingsOf(run.prepared.captures, isEach);
  const shown = isEach ? withCaptureColumn(options) : options;
  const colors = await palette(takesColor(options, io));
  // Mistakes are reported before anything is read or written.
  const { remarks = [] } = await displayOf(shown, colors, run.prepared.dissectors);
  for (const text of remarks) run.remark(text);
  if (options.saveColorFilters !== undefined) await saveColorFilters(options.saveColorFilters, options, run);
  const pager = await pagerFor(captures, options, io);
  if (pager !== undefined) run.printThrough(pager);
  if (options.twoPass !== true && asksWhatAnswers(options)) run.remark("answeredBy is known only with --two-pass");
  run.output.write(await headerOf(shown));
  const watch = new FailureWatch(options);
  const sessions = isEach ? new RepeatedSessions() : undefined;
  for (const recording of recordings) {
    if (run.isInterrupted) break;
    await printRecording(run, recording, { options: shown, colors, watch, sessions });
  }
  return run.finish(watch.hasFailed ? ExitCode.found : ExitCode.done);
}

function asksWhatAnswers({ filter = "", field = [] }: DissectCommandOptions): boolean {
  return [filter, ...field].some((text) => /\bansweredBy\b/.test(text));
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
    if (isLive) (io.stdin ?? process.stdin).destroy();
  });
}
