import { Diagnosis, type Finding, type FindingKind, kindsInOrder } from "../../diagnose/index.js";
import type { Dissector, Message } from "../../index.js";
import { findingLine } from "../../output/diagnosis/finding-json.js";
import { diagnosisSuite } from "../../output/diagnosis/finding-junit.js";
import { diagnosisHead, findingLines } from "../../output/diagnosis/finding-text.js";
import { junitXml, type TestSuite } from "../../output/junit.js";
import { OpenRequests } from "../../output/text/open-requests.js";
import { palette } from "../../output/text/terminal-palette.js";
import { nothingFound } from "../../remarks/packet-kinds.js";
import type { CommandLine } from "../command-line.js";
import { brokenFieldText } from "../declared/broken-field.js";
import { captureOfLine, eachOption, type Recording, recordingsOf, titleOf } from "../dissecting/recordings.js";
import { ExitCode } from "../exit-code.js";
import { passing } from "../message-display.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { limitsOf } from "../options/limit-option.js";
import {
  addCaptureOptions,
  capturesArgument,
  choiceList,
  filterOption,
  jsonFormatOption,
  jsonOption,
  pagerOption,
  wholeNumber,
} from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import { printPaged } from "../run/on-terminal.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isReadable, isUnreadable } from "../run/verdict.js";
import { UsageError } from "../usage-error.js";
import { OutputFile, STANDARD_OUTPUT } from "../writing/output-file.js";
import type { PagerOptions } from "../writing/paged.js";
import { TextOutput } from "../writing/text-output.js";
import { written } from "../writing/written.js";

const EPILOGUE = `
What is looked for, the worst first: conversations that cannot be decrypted; malformed messages; ends of another version
than the rest; players thrown out (kick) or not let in (refusal); failed requests; requests without a reply; gaps; skipped
bytes; messages cut short (truncated); replies that took five times as long as half of their kind (slow); players who
connect again within ten minutes (reconnect); and what is not declared, such as SDL records without descriptors (unknown).
The filter below each finding shows its messages. The exit code does not depend on what is found; in the JUnit report,
each kind is a test.

Examples:
  moul-dissect diagnose session.pcap
  moul-dissect diagnose session.pcap --only kick,refusal,version
  moul-dissect diagnose session.pcap --json | jq -r 'select(.severity == "error") | .text'
  moul-dissect diagnose session.pcap -Y "conversation.player == 'Alice'"
  moul-dissect diagnose nightly.pcap --keys dirtsand.ini --junit report.xml`;

/** Milliseconds that a person notices. */
const NOTICED = 100;

/** The options of the command, as the command line gives them. */
interface DiagnoseCommandOptions extends CaptureRunOptions, ColorOptions, PagerOptions {
  readonly json?: boolean;
  readonly filter?: string;
  readonly only?: readonly FindingKind[];
  readonly slow?: number;
  readonly junit?: string;
  readonly each?: boolean;
}

/** Adds the command `diagnose` to the program. */
export function addDiagnoseCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("diagnose")
    .description("Says what a person should look at, the worst first, each with the filter that shows it.")
    .addArgument(capturesArgument())
    .addOption(jsonOption("each finding as a JSON object on a line of its own"))
    .addOption(jsonFormatOption())
    .addOption(filterOption("look at"))
    .addOption(eachOption())
    .option(
      "--only <kinds>",
      `only findings of these kinds, with commas between them: ${kindsInOrder.join(", ")}`,
      (text) => choiceList(text, kindsInOrder),
    )
    .option("--slow <ms>", `replies that take less are never slow (default: ${NOTICED})`, (text) =>
      wholeNumber(text, 1),
    )
    .option("--junit <file>", "write the findings as JUnit XML, for CI")
    .addOption(pagerOption());
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: DiagnoseCommandOptions) => {
      end(await diagnoseCommand(captures, options, io));
    });
}

/** Prints what a person should look at; returns the exit code. */
async function diagnoseCommand(
  captures: readonly string[],
  options: DiagnoseCommandOptions,
  io: ProcessIo,
): Promise<number> {
  if (options.junit === STANDARD_OUTPUT)
    throw new UsageError("--junit needs a file: the findings go to standard output");
  const run = await CaptureRun.prepare(captures, options, io, { areOneRecording: options.each !== true });
  const { dissectors, inputs } = run.prepared;
  const passes = await passing(options.filter, dissectors);
  const colors = await palette(takesColor(options, io));
  const junit =
    options.junit === undefined ? undefined : await OutputFile.claim(options.junit, { overwrites: true, inputs });
  const suites: TestSuite[] = [];
  const printed: string[] = [];
  for (const recording of recordingsOf(run.prepared.captures, options.each)) {
    if (run.isInterrupted) break;
    const began = new Date();
    const found = await findingsIn(run, recording, options, passes);
    // "Nothing to look at" would be untrue of captures that could not be read.
    if (found === undefined) continue;
    const { head, findings } = found;
    if (junit !== undefined) {
      const name = recording.captures.join(" ");
      const seconds = (Date.now() - began.getTime()) / 1000;
      suites.push(diagnosisSuite(findings, { name, file: name, began, seconds }));
    }
    if (options.json) for (const finding of findings) run.output.write(findingLine(finding, captureOfLine(recording)));
    else {
      const declaration = ({ field }: Finding) => field && brokenFieldText(field, dissectors);
      const style = { colors, width: run.columns, declaration };
      printed.push(
        titleOf(recording, colors.heading),
        head,
        ...findings.map((finding) => findingLines(finding, style)),
      );
    }
  }
  if (junit !== undefined && suites.length > 0) {
    if (!(await written(new TextOutput(junit), junitXml("diagnose", suites), run))) return run.finish(ExitCode.input);
  }
  await printPaged(run, printed, options, io);
  return run.finish();
}

/** What is to be looked at in a recording, below a line about all of it; undefined if it could not be read. */
async function findingsIn(
  run: CaptureRun,
  { captures, alone }: Recording,
  options: DiagnoseCommandOptions,
  passes: (message: Message) => boolean,
): Promise<{ readonly head: string; readonly findings: readonly Finding[] } | undefined> {
  const diagnosis = new Diagnosis({
    limits: limitsOf(options),
    requests: new OpenRequests(),
    noticed: options.slow ?? NOTICED,
    within: options.filter,
  });
  const result = await run.read(
    {
      network: diagnosis,
      listener: (message) => diagnosis.take(message, passes(message)),
      endsAtInterrupt: true,
      ...(alone && { alone: alone.index }),
    },
    captures,
  );
  if (isUnreadable(result)) return undefined;
  // "Nothing to look at" would be no answer.
  if (diagnosis.conversations === 0 && isReadable(result)) run.remark(nothingFound(result.packets));
  const wanted = options.only ?? kindsInOrder;
  const shown = diagnosis.findings.filter(({ kind }) => wanted.includes(kind));
  const findings = shown.map((finding) => withAdvice(finding, run.prepared.dissectors, captures));
  return { head: diagnosisHead(diagnosis, findings.length), findings };
}

/** A finding with what to do about it. */
function withAdvice(finding: Finding, dissectors: readonly Dissector[], captures: readonly string[]): Finding {
  const { kind, protocol, field } = finding;
  if (kind === "malformed" && field !== undefined) {
    return { ...finding, advice: `moul-dissect fields ${field.type}` };
  }
  if (kind !== "undecrypted" || finding.isBeyondKeys === true) return finding;
  // Protocols are named after their dissectors: "moul.auth".
  const { keySources } = dissectors.find(({ name }) => name === protocol.split(".", 1)[0]) ?? {};
  if (keySources === undefined) return finding;
  const names = captures.map((name) => (/^[\w./-]+$/.test(name) ? name : "CAPTURE")).join(" ");
  return { ...finding, advice: `moul-dissect diagnose ${names} --keys FILE, where FILE is ${keySources}` };
}
