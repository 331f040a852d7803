import { createHash, randomBytes } from "node:crypto";
import { type Command, InvalidArgumentError, Option } from "commander";
import { counted } from "../../common/counted.js";
import { PlaintextCapture } from "../../export/plaintext-capture.js";
import { type Dissector, dissectors } from "../../index.js";
import type { Endpoint } from "../../network/conversation.js";
import { captureName, isReadOnce } from "../../platform/node/capture-file.js";
import { delayed } from "../../remarks/delayed.js";
import { LeftOut } from "../../remarks/left-out.js";
import { kindsWith, type OwnKind } from "../../schema/language/sensitive.js";
import { Gathering } from "../../scrub/gathering.js";
import { marksSecrets } from "../../scrub/marks.js";
import { Scrubber, type ScrubReport } from "../../scrub/scrubber.js";
import { Secrets } from "../../scrub/secrets.js";
import type { CommandLine } from "../command-line.js";
import { ExitCode } from "../exit-code.js";
import { fileSizes } from "../file-size.js";
import { knownDissectors } from "../known-dissectors.js";
import { addRewritingOptions, capturesArgument, choiceList } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isUnreadable } from "../run/verdict.js";
import { UsageError } from "../usage-error.js";
import { application } from "../version.js";
import { type Wrap, WrittenCapture } from "../writing/written-capture.js";

/** What the kinds are that can be kept, by name: a key exchange means nothing without the encryption. */
const KEEPABLE = [...kindsWith(ownKinds(dissectors))].filter(([kind]) => kind !== "key-exchange");

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
  addRewritingOptions(command)
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

function ownKinds(all: readonly Dissector[]): readonly OwnKind[] {
  return all.flatMap(({ sensitiveKinds = [] }) => sensitiveKinds);
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
  const secrets = new Secrets(options.seed === undefined ? randomBytes(32) : hashOf(options.seed), ownKinds(all));
  const unmarked = all.filter((dissector) => !marksSecrets(dissector)).map(({ name }) => name);
  const gathering = new Gathering(secrets, new Set(kept), new Set(unmarked));
  // What comes later, to a capture that is still growing, is not part of it: no secrets were gathered from that.
  const lengths = (await fileSizes(run.prepared.captures)) ?? [];
  const result = await run.read({
    lengths,
    // Texts of an unknown message could pass for public fields of others.
    searchesAfterUnknownEnd: false,
    order: "conversation",
    network: {
      opened: (conversation) => {
        gathering.opened(conversation);
        return { dissected: (session) => gathering.ended(session) };
      },
    },
    listener: (message) => gathering.message(message),
  });
  if (run.isInterrupted) {
    // Secrets that have not been gathered would be given away.
    run.say("interrupted before anything was written");
    return ExitCode.input;
  }
  return isUnreadable(result) ? run.finish() : writeScrubbed(run, gathering, lengths, wrap);
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
  gathering: Gathering,
  lengths: readonly number[],
  wrap: Wrap | undefined,
): Promise<number> {
  const { secrets, kept } = gathering;
  const leftOut = new LeftOut();
  const written = new WrittenCapture(run, wrap);
  const capture = new PlaintextCapture((bytes) => written.write(bytes), {
    application,
    comment: "Packets rebuilt around plaintext in which private data was replaced.",
    ...(!kept.has("ip-address") && { endpoint: (endpoint: Endpoint) => scrubbedEndpoint(endpoint, secrets) }),
  });
  const scrubber = new Scrubber(gathering, capture);
  const { packets } = await run.read({
    lengths,
    searchesAfterUnknownEnd: false,
    order: "conversation",
    isRepeat: true,
    network: {
      opened: (conversation, origin) => {
        const { dissected, closed } = leftOut.opened(conversation);
        scrubber.begun(conversation, origin);
        return {
          dissected: (session) => {
            dissected(session);
            scrubber.dissected(session);
          },
          closed: (reason) => {
            closed(reason);
            scrubber.closed(conversation, reason);
          },
        };
      },
    },
    listener: (message) => scrubber.message(message),
  });
  scrubber.finish();
  const isEmpty = capture.packets === 0;
  if (!isEmpty) {
    capture.flush();
    await written.end();
  }
  const texts = [...remarks(scrubber.report, gathering), ...leftOut.remarks(packets), ...delayed(capture.delayed)];
  for (const text of texts) run.remark(text);
  if (!isEmpty) return run.finish();
  return run.finishWithNothing("no message can be shared", () => capture.flush());
}

function scrubbedEndpoint({ address, port }: Endpoint, { addresses }: Secrets): Endpoint {
  return { address: addresses.of(address), port };
}

function remarks({ messages, wiped, leftOut, found }: ScrubReport, gathering: Gathering): string[] {
  const texts = [`${counted(messages, "message")} written`];
  if (found > 0)
    texts.push(`${found}× a secret was found in a field that is not declared as sensitive: replaced there, too`);
  if (wiped > 0) texts.push(`${counted(wiped, "byte")} of undeclared data: overwritten with zeros`);
  if (leftOut > 0)
    texts.push(`${counted(leftOut, "byte")} of messages that are incomplete or cannot be rewritten: left out`);
  const conversations = (count: number, why: string) => {
    if (count > 0) texts.push(`${counted(count, "conversation")} left out: ${why}`);
  };
  conversations(gathering.encrypted.size, "not decrypted");
  conversations(gathering.unmarked.size, "the dissector does not say which of its fields are sensitive");
  conversations(gathering.spread.size, "sensitive data is spread over several messages");
  return texts;
}

function hashOf(seed: string): Uint8Array {
  return createHash("sha256").update(seed).digest();
}
