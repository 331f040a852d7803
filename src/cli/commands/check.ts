import { relative } from "node:path";
import { type TuningOptions, tuningOf } from "../../check/index.js";
import { counted } from "../../common/counted.js";
import { differenceLine } from "../../output/json/difference-json.js";
import { junitXml, type TestSuite } from "../../output/junit.js";
import { type DifferenceStyle, differenceTexts } from "../../output/text/difference-text.js";
import { palette } from "../../output/text/terminal-palette.js";
import { printable } from "../../output/writers/sanitise.js";
import { captureName, isPipe, isReadOnce } from "../../platform/node/capture-file.js";
import { exists } from "../../platform/node/exists.js";
import { declarations } from "../../reference/declarations.js";
import { newLines, updatedLines } from "../check/expectation.js";
import { type CheckedSession, SessionChecks, type UncheckedSession } from "../check/session-check.js";
import { type ExpectationKind, kindOf, sessionsOf } from "../check/sessions.js";
import { suiteOf } from "../check/test-suite.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { type ColorOptions, takesColor } from "../options/color.js";
import { addCaptureOptions, capturesArgument, collect, jsonFormatOption, jsonOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { UsageError } from "../usage-error.js";
import { OutputFile, STANDARD_OUTPUT, sameFile } from "../writing/output-file.js";
import { TextOutput } from "../writing/text-output.js";
import { written } from "../writing/written.js";
import { uniquePath } from "../writing/written-path.js";

const EPILOGUE = `
The expectation is what --json prints for a recording, or what --update writes; or it is another capture. Without
--expect, it is session.expected.jsonl beside session.pcap. Lines may come from a pipe or, with "-", from standard
input. If a folder is named, every capture in it is checked.

What differs between any two recordings of the same session is not compared: times, frame and message numbers,
addresses and ports, session keys, random challenges, lengths of data that is compared anyway, and values that follow
from other fields. For these, all that matters is whether they are zero or empty. Numbers and UUIDs that only stand for
something (transactions, players, vault nodes, accounts, ages, revisions) may differ, as long as they do so
consistently. The texts of notes are not compared, but their severity and path are. Conversations are matched by
protocol, order and content; the messages of each side are compared in their order.
With --vault, what the vault has become is compared as well: each node with its fields and with what belongs to it,
whatever its number. An expectation that has lines about nodes is compared with the vault even without --vault, and one
that has no others, such as what vault --json prints, with nothing else. --ignore vault.FIELD, vault.TYPE or
vault.TYPE.FIELD leaves out what nodes have, or nodes of a type; title, stale, asked and children are such fields, too.

With --json, the number of an expected message is its number in the capture, or that of its line in the expectation.

Exit codes: 0 as expected; 1 wrong usage; 2 something could not be read, or there is no expectation or no message to
compare; 4 a difference was found.

Examples:
  moul-dissect check session.pcap --update
  moul-dissect check session.pcap
  moul-dissect check new.pcap --expect old.pcap --ignore serverChallenge --only "not plNetMsgVoice"
  moul-dissect check session.pcap --vault --update
  moul-dissect check recordings/ --keys dirtsand.ini --junit report.xml`;

/** The most differences of a session that are shown as text: anyone with more has another problem. */
const MOST_SHOWN = 100;

/** The options of the command, as the command line gives them. */
interface CheckCommandOptions extends CaptureRunOptions, ColorOptions, TuningOptions {
  readonly expect?: string;
  readonly update?: boolean;
  readonly allowEmpty?: boolean;
  readonly vault?: boolean;
  readonly json?: boolean;
  readonly junit?: string;
}

/** Adds the command `check` to the program. */
export function addCheckCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("check")
    .description("Compares recorded sessions with what is expected of them, by their meaning.")
    .addArgument(capturesArgument('capture files or folders of them; "-" reads standard input'))
    .option(
      "--expect <file>",
      "the expectation: lines of --json, or another capture (default: the file beside the capture)",
    )
    .option("--update", "write the expectation; lines that still mean the same are kept")
    .option("--ignore <path>", "do not compare this field or message; paths are as in filters (repeatable)", collect)
    .option("--only <filter>", "report only differences in messages that pass this display filter")
    .option("--any-order", "ignore the order of messages from the same side")
    .option("--allow-empty", "let a session without messages pass, and be written by --update")
    .option("--vault", "compare what the vault has become, too; with --update, add lines about it to the expectation")
    .option("--no-vault", "leave the vault out, even if the expectation has lines about it")
    // Where something is written, it says what.
    .addOption(jsonOption("each difference as a JSON object on a line of its own").conflicts("update"))
    .addOption(jsonFormatOption())
    .option("--junit <file>", "write the results as JUnit XML, for CI");
  addCaptureOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: CheckCommandOptions) => {
      end(await new CheckCommand(options, io).run(captures));
    });
}

/** Checks sessions and prints how they differ from what is expected. */
class CheckCommand {
  constructor(
    readonly options: CheckCommandOptions,
    readonly io: ProcessIo,
  ) {}

  /** Returns the exit code. */
  async run(paths: readonly string[]): Promise<number> {
    const { options } = this;
    const sessions = await sessionsOf(paths, options.expect);
    const kinds = await Promise.all(sessions.map(({ expectation }) => kindOf(expectation)));
    const isUpdate = options.update === true;
    const recorded = sessions.filter((_, index) => kinds[index] === "capture").map(({ expectation }) => expectation);
    if (isUpdate) await refuseUpdate(options.expect, recorded);
    await refuseOneFile(
      options,
      sessions.map(({ expectation }) => expectation),
    );
    const captures = [...new Set([...sessions.map(({ capture }) => capture), ...recorded])];
    // It would start over with each capture.
    const runOptions = { ...options, ...(captures.length > 1 && { progress: false }) };
    const run = await CaptureRun.prepare(captures, runOptions, this.io, {
      areOneRecording: false,
      inputs: sessions.map(({ expectation }) => expectation),
    });
    const junit =
      options.junit === undefined
        ? undefined
        : await OutputFile.claim(options.junit, { overwrites: true, inputs: run.prepared.inputs });
    const tuning = await tuningOf(options, run.prepared.dissectors);
    const checks = new SessionChecks(run, declarations(run.prepared.dissectors).messages, tuning, {
      isUpdate,
      allowsEmpty: options.allowEmpty === true,
      vault: options.vault,
    });
    const suites: TestSuite[] = [];
    let code: number = ExitCode.done;
    for (const [index, session] of sessions.entries()) {
      const kind = kinds[index] ?? "absent";
      const began = new Date();
      const checked = await checks.check(session, kind);
      const seconds = (Date.now() - began.getTime()) / 1000;
      const outcome = await this.#outcome(run, checked, kind);
      // Input that could not be read outweighs a difference.
      if (code !== ExitCode.input && outcome !== ExitCode.done) code = outcome;
      if (junit !== undefined) suites.push(suiteOf(checked, expectedName(kind), { began, seconds }));
      if (run.isInterrupted) break;
    }
    const { ofNodes, foundOfNodes } = tuning.leftOut;
    for (const name of run.isInterrupted ? [] : ofNodes) {
      if (!foundOfNodes.has(name))
        run.remark(`--ignore vault.${name}: no node that was compared has this type or field`);
    }
    if (junit !== undefined && !(await written(new TextOutput(junit), junitXml("check", suites), run)))
      code = ExitCode.input;
    return run.finish(code);
  }

  /** Reports how a session compares, or writes its expectation; returns the exit code. */
  async #outcome(run: CaptureRun, checked: CheckedSession | UncheckedSession, kind: ExpectationKind): Promise<number> {
    if ("differences" in checked)
      return this.options.update ? this.#update(run, checked) : this.#print(run, checked, kind);
    if (checked.isReported !== true) run.say(checked.problem);
    return ExitCode.input;
  }

  async #print(run: CaptureRun, checked: CheckedSession, kind: ExpectationKind): Promise<number> {
    const { session, differences } = checked;
    const colors = await palette(takesColor(this.options, this.io));
    const style = { colors, expected: expectedName(kind) };
    const summary = summaryOf(checked);
    if (this.options.json) {
      for (const difference of differences) run.output.write(differenceLine(session, difference));
      run.remark(summary);
    } else {
      for (const text of differenceTexts(differences.slice(0, MOST_SHOWN), style)) run.output.write(text);
      const more = differences.length - MOST_SHOWN;
      if (more > 0) run.output.write(`and ${more} more; --json lists them all\n\n`);
      const tone = differences.length === 0 ? colors.change.added : colors.change.removed;
      run.output.write(`${tone(printable(summary))}\n`);
    }
    return differences.length === 0 ? ExitCode.done : ExitCode.different;
  }

  async #update(run: CaptureRun, checked: CheckedSession): Promise<number> {
    const { session, differences, isNew, isWhole } = checked;
    const { capture, expectation } = session;
    const count = countOf(checked, checked.found.messages.counting);
    if (!isWhole) {
      run.say(`${expectation}: not written, because ${capture} could not be read completely`);
      return ExitCode.input;
    }
    if (!isNew && differences.length === 0 && !addsVault(checked)) {
      run.output.write(`${printable(`${expectation}: already up to date (${count})`)}\n`);
      return ExitCode.done;
    }
    const texts = isNew ? newLines(checked) : await updatedLines(expectation, checked);
    const file = await OutputFile.claim(expectation, { overwrites: true, inputs: run.prepared.captures });
    if (!(await written(new TextOutput(file), ended(texts), run))) return ExitCode.input;
    const changed = isNew ? "" : `, ${counted(differences.length, "difference")}`;
    run.output.write(`${printable(`${expectation}: written (${count}${changed})`)}\n`);
    return ExitCode.done;
  }
}

/** Texts as lines. */
function* ended(texts: Iterable<string | Uint8Array>): Generator<string | Uint8Array> {
  for (const text of texts) {
    yield text;
    yield "\n";
  }
}

/** @throws UsageError if what would be overwritten is a capture, or not a file */
async function refuseUpdate(expect: string | undefined, recorded: readonly string[]): Promise<void> {
  const [other] = recorded;
  if (other !== undefined) throw new UsageError(`${other}: this is not an expectation, so it cannot be updated`);
  if (expect !== undefined && (await isReadOnce(expect))) {
    throw new UsageError(`${captureName(expect)}: this is not a file, so it cannot be updated`);
  }
}

/** @throws UsageError if two outputs would go to one file, whether it exists yet or not, or to standard output */
async function refuseOneFile(
  { output, junit, update }: CheckCommandOptions,
  expectations: readonly string[],
): Promise<void> {
  if (junit === STANDARD_OUTPUT) throw new UsageError("--junit needs a file: the differences go to standard output");
  if (output !== undefined && junit !== undefined && !(await isPipe(output)) && (await isOneFile(output, junit))) {
    throw new UsageError(`${junit}: -o and --junit name the same file`);
  }
  for (const path of [output, junit]) {
    if (path === undefined) continue;
    // One that exists is an input, which nothing overwrites.
    for (const expectation of update === true ? expectations : []) {
      if (!(await exists(expectation)) && (await isOneFile(path, expectation))) {
        throw new UsageError(`${path}: this is the expectation, which --update writes`);
      }
    }
  }
}

async function isOneFile(path: string, other: string): Promise<boolean> {
  // Windows ignores the case of names.
  const isOneName = relative(await uniquePath(path), await uniquePath(other)) === "";
  return isOneName || (await sameFile(path, [other])) !== undefined;
}

/** How an expected message is named. */
function expectedName(kind: ExpectationKind): DifferenceStyle["expected"] {
  return (at) => (kind === "lines" ? `expected in line ${at}` : `expected as #${at}`);
}

/** What was compared: "14 messages and 3 nodes". */
function countOf({ found, comparison, hasMessages }: CheckedSession, compared: number): string {
  const messages = hasMessages ? [counted(compared, "message")] : [];
  const nodes = comparison.nodes === undefined ? [] : [counted(found.nodes.size, "node")];
  return [...messages, ...nodes].join(" and ");
}

/** True if the vault is to be in the expectation, and is not, or the other way round. */
function addsVault({ expected, found, comparison }: CheckedSession): boolean {
  return (comparison.nodes !== undefined && found.nodes.size > 0) !== expected.lines.nodes > 0;
}

function summaryOf(checked: CheckedSession): string {
  const { session, differences } = checked;
  const count = countOf(checked, checked.found.messages.messages);
  if (differences.length === 0) return `${session.capture}: ${count} as expected`;
  return `${session.capture}: ${counted(differences.length, "difference")} in ${count}`;
}
