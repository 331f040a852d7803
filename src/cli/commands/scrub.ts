import { type Command, InvalidArgumentError, Option } from "commander";
import type { Message } from "../../index.js";
import { keepableKinds, ownKinds, Scrubbing } from "../../library/scrubbing.js";
import { dissectors } from "../../pipeline/dissectors.js";
import { captureName, isReadOnce } from "../../platform/node/capture-file.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { fileSizes } from "../file-size.js";
import { knownDissectors } from "../known-dissectors.js";
import { addRewritingOptions, capturesArgument, choiceList, exportedPduOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isUnreadable } from "../run/verdict.js";
import { UsageError } from "../usage-error.js";
import { application } from "../version.js";
import { type Wrap, WrittenCapture } from "../writing/written-capture.js";

/** What the kinds are that can be kept, by name. */
const KEEPABLE = [...keepableKinds(dissectors)];

const KEEP = "--keep <kinds>";

const EPILOGUE = `
Kinds, each of which can be kept:
${KEEPABLE.map(([kind, doc]) => `  ${kind.padEnd(14)} ${doc}`).join("\n")}

What is replaced is replaced everywhere: a name also where it occurs in another text. Data that cannot be decrypted, or
that no dissector recognises, is left out.

Examples:
  moul-dissect scrub session.pcap --keys dirtsand.ini -o shareable.pcapng
  moul-dissect scrub session.pcap --keep player-name,chat -o shareable.pcapng`;

/** The options of the command, as the command line gives them. */
interface ScrubCommandOptions extends CaptureRunOptions {
  readonly keep?: string;
  readonly seed?: string;
  readonly exportedPdu?: boolean;
}

/** Adds the command `scrub` to the program. */
export function addScrubCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("scrub")
    .description(
      "Writes the plaintext of captures as a capture (pcapng) that can be shared: names, secrets, addresses, chat and voice are replaced.",
    )
    .addArgument(capturesArgument("capture files; not standard input, as they are read twice"))
    .addOption(new Option(KEEP, "kinds not to replace, separated by commas"))
    .option("--seed <text>", "make the same replacements in every run; anyone who knows the text can test guesses");
  command.addOption(exportedPduOption());
  addRewritingOptions(command, "the scrubbed capture; not standard output")
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: ScrubCommandOptions) => {
      const kept = await keptKinds(command, options);
      end(await scrubCommand(captures, options, kept, io));
    });
}

/** The kinds that the user wants to keep, which may be those of an external dissector. */
async function keptKinds(command: Command, { keep, dissector }: ScrubCommandOptions): Promise<readonly string[]> {
  if (keep === undefined) return [];
  const { loaded } = await knownDissectors({ ...(dissector && { dissector }) });
  const kinds = [...KEEPABLE.map(([kind]) => kind), ...ownKinds(loaded).map(({ name }) => name)];
  try {
    return choiceList(keep, kinds);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: option '${KEEP}' argument '${keep}' is invalid. ${error.message}`);
  }
}

/**
 * Writes captures without what is private; returns the exit code.
 *
 * @param wrap makes something else of the capture
 */
export async function scrubCommand(
  captures: readonly string[],
  options: ScrubCommandOptions,
  kept: readonly string[],
  io: ProcessIo,
  wrap?: Wrap,
): Promise<number> {
  await refuseMisuse(captures, options);
  const run = await CaptureRun.prepare(captures, options, io);
  const { dissectors: all } = run.prepared;
  const scrubbing = new Scrubbing(all, kept, options.seed);
  // What comes later, to a capture that is still growing, is not part of it: no secrets were gathered from that.
  const lengths = (await fileSizes(run.prepared.captures)) ?? [];
  const undecrypted = new Undecrypted();
  const { listener: gather, ...gathering } = scrubbing.gathering();
  const listener = (message: Message) => {
    undecrypted.see(message);
    gather(message);
  };
  const result = await run.read({ lengths, ...gathering, listener });
  if (run.isInterrupted) {
    // Secrets that have not been gathered would be given away.
    run.say("interrupted before anything was written");
    return ExitCode.input;
  }
  for (const text of undecrypted.remarks()) run.remark(text);
  return isUnreadable(result)
    ? run.finish()
    : writeScrubbed(run, scrubbing, lengths, { asPdus: options.exportedPdu === true, wrap });
}

/** @throws UsageError if a capture cannot be read twice, or no output file is named */
async function refuseMisuse(captures: readonly string[], { output }: ScrubCommandOptions): Promise<void> {
  for (const capture of captures) {
    if (!(await isReadOnce(capture))) continue;
    const name = captureName(capture);
    throw new UsageError(`scrub reads a capture twice, which ${name} does not allow: save it to a file first`);
  }
  if (output === undefined) {
    throw new UsageError("name a file for the scrubbed capture with -o: it is not written to standard output");
  }
}

/**
 * Reads the captures again, and writes them without the secrets that were gathered from them; returns the exit code.
 */
async function writeScrubbed(
  run: CaptureRun,
  scrubbing: Scrubbing,
  lengths: readonly number[],
  { asPdus, wrap }: { readonly asPdus: boolean; readonly wrap: Wrap | undefined },
): Promise<number> {
  const written = new WrittenCapture(run, wrap);
  const { finish, capture, ...reading } = scrubbing.writing((bytes) => written.write(bytes), application, asPdus);
  const { packets } = await run.read({ lengths, isRepeat: true, ...reading });
  const remarks = finish(packets);
  const isEmpty = capture.packets === 0;
  if (!isEmpty) {
    capture.flush();
    await written.end();
  }
  for (const text of remarks) run.remark(text);
  if (!isEmpty) return run.finish();
  return run.finishWithNothing("no message can be shared", () => capture.flush());
}
