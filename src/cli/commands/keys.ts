import { Option } from "commander";
import { embedKeys } from "../../export/embedded-keys.js";
import { RecoveredKeys } from "../../library/recovered-keys.js";
import { captureAt, captureName, isReadOnce } from "../../platform/node/capture-file.js";
import { GrowingFile } from "../../platform/node/growing-file.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import type { CommandLine } from "../command-line.js";
import { limitsOf } from "../options/limit-option.js";
import { addConversionOptions, capturesArgument } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isUnreadable } from "../run/verdict.js";
import { UsageError } from "../usage-error.js";
import { application } from "../version.js";
import { STANDARD_OUTPUT } from "../writing/output-file.js";
import { refuseTerminal } from "../writing/printing.js";

const EPILOGUE = `
The key log opens only the connections in the capture; the keys of the shard are not in it.

Examples:
  moul-dissect keys session.pcap --keys dirtsand.ini -o session.pcap.keys
  moul-dissect keys session.pcap --keys dirtsand.ini --embed shared.pcapng
  moul-dissect keys recording.pcapng --keys dirtsand.ini --follow -o live.keylog`;

const NONE = "no session key was found";

/** The options of the command, as the command line gives them. */
interface KeysCommandOptions extends CaptureRunOptions {
  readonly embed?: string;
  readonly follow?: boolean;
}

/** Adds the command `keys` to the program. */
export function addKeysCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("keys")
    .description("Prints the session keys of captures as a key log, which opens them without the keys of the shard.")
    .addArgument(capturesArgument())
    .addOption(
      new Option("--embed <file>", "instead, write the capture as pcapng with the key log in it").conflicts("output"),
    )
    .addOption(
      new Option(
        "--follow",
        "at the end of a file that is still being recorded, wait for more (Ctrl-C ends that); each key is written as soon as it is known",
      ).conflicts("embed"),
    );
  addConversionOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: KeysCommandOptions) => {
      end(await keysCommand(captures, options, io));
    });
}

/** Prints recovered session keys, or puts them into a capture; returns the exit code. */
async function keysCommand(
  captures: readonly string[],
  { embed, follow = false, ...given }: KeysCommandOptions,
  io: ProcessIo,
): Promise<number> {
  const others = { ...given, grows: follow };
  const options = embed === undefined || embed === STANDARD_OUTPUT ? others : { ...others, output: embed };
  if (embed !== undefined) {
    await refuseMisuse(captures);
    refuseTerminal(options, io);
  }
  const growing = follow ? await followed(captures) : undefined;
  const run = await CaptureRun.prepare(captures, options, io);
  const keyLog: string[] = [];
  const { output } = run;
  const keys = new RecoveredKeys(run.prepared.captures.map(captureName), (line) => {
    if (embed === undefined) output.write(`${line}\n`);
    else keyLog.push(line);
  });
  const undecrypted = new Undecrypted();
  const result = await run.read({
    listener: (message) => {
      undecrypted.see(message);
      if (message.status === "encrypted") keys.noteRefused(message.conversation);
    },
    network: {
      opened: () => ({
        ...(follow && { recognised: (session) => keys.watch(session) }),
        dissected: (session) => keys.session(session),
      }),
    },
    goesOn() {
      keys.writeKnown();
      output.flush();
      return true;
    },
    ...(growing && { source: growing, interrupt: () => growing.stop() }),
    skims: true,
    endsAtInterrupt: true,
  });
  for (const text of [...undecrypted.remarks(), ...keys.remarks()]) run.remark(text);
  const isEmpty = keys.count === 0 && !isUnreadable(result);
  if (isEmpty && embed === undefined) return run.finishWithNothing(NONE, () => {});
  if (isEmpty) run.remark(NONE);
  const [capture] = captures;
  if (embed !== undefined && capture !== undefined && !isUnreadable(result) && !run.isInterrupted) {
    const write = (bytes: Uint8Array) => output.write(bytes);
    const embedding = { keyLog, application, limits: limitsOf(options) };
    await embedKeys(captureAt(capture), embedding, write, () => output.drained());
  }
  return run.finish();
}

/**
 * The only capture, as a file that grows; undefined for standard input and pipes, whose readers wait anyway.
 *
 * @throws UsageError if there are several
 */
async function followed([capture = "", ...others]: readonly string[]): Promise<GrowingFile | undefined> {
  if (others.length > 0) throw new UsageError("--follow follows one recording at a time");
  return (await isReadOnce(capture)) ? undefined : new GrowingFile(capture);
}

/** @throws UsageError unless there is exactly one capture, and it can be read twice */
async function refuseMisuse(captures: readonly string[]): Promise<void> {
  const [capture = "", ...others] = captures;
  if (others.length > 0) throw new UsageError("--embed rewrites one capture at a time");
  if (await isReadOnce(capture)) {
    const name = captureName(capture);
    throw new UsageError(`--embed reads the capture twice, which ${name} does not allow: save it to a file first`);
  }
}
