import { LeftOut } from "../../remarks/left-out.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import type { CommandLine } from "../command-line.js";
import { limitsOf } from "../options/limit-option.js";
import { addConversionOptions, capturesArgument, exportedPduOption } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isUnreadable } from "../run/verdict.js";
import { packetWriting, pduWriting } from "../writing/plaintext-writing.js";
import { refuseTerminal } from "../writing/printing.js";
import { type Wrap, WrittenCapture } from "../writing/written-capture.js";

const EPILOGUE = `
Examples:
  moul-dissect decrypt session.pcap --keys dirtsand.ini -o plain.pcapng
  tcpdump -w - port 14617 | moul-dissect decrypt - --keys dirtsand.ini | wireshark -k -i -`;

/** The options of the command, as the command line gives them. */
interface DecryptCommandOptions extends CaptureRunOptions {
  readonly exportedPdu?: boolean;
}

/** Adds the command `decrypt` to the program. */
export function addDecryptCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("decrypt")
    .description("Writes the plaintext of captures as a capture (pcapng) that Wireshark can open.")
    .addArgument(capturesArgument())
    .addOption(exportedPduOption());
  addConversionOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: DecryptCommandOptions) => {
      end(await decryptCommand(captures, options, io));
    });
}

/**
 * Writes the plaintext of recognised conversations as a capture; returns the exit code.
 *
 * @param wrap makes something else of the capture
 */
export async function decryptCommand(
  captures: readonly string[],
  options: DecryptCommandOptions,
  io: ProcessIo,
  wrap?: Wrap,
): Promise<number> {
  refuseTerminal(options, io);
  const run = await CaptureRun.prepare(captures, options, io);
  const undecrypted = new Undecrypted();
  const written = new WrittenCapture(run, wrap);
  const write = (bytes: Uint8Array) => written.write(bytes);
  const writing = options.exportedPdu === true ? pduWriting(write) : packetWriting(write, limitsOf(options));
  const { capture } = writing;
  const leftOut = new LeftOut();
  const result = await run.read({
    // Plaintext does not wait for that of other conversations.
    order: "conversation",
    network: {
      opened: (conversation) => writing.opened(conversation, leftOut.opened(conversation)),
    },
    listener: (message) => {
      undecrypted.see(message);
      writing.message(message);
    },
    skims: true,
    // The reader of a live capture wants to see each packet at once.
    goesOn: () => {
      if (capture.packets > 0) capture.flush();
      return true;
    },
  });
  const isEmpty = capture.packets === 0;
  if (!isEmpty) {
    capture.flush();
    await written.end();
  }
  const secret = undecrypted.remarks();
  for (const text of secret) run.remark(`${text}; ${writing.encrypted}`);
  for (const text of leftOut.remarks(result.packets)) run.remark(text);
  for (const text of writing.remarks()) run.remark(text);
  if (!isEmpty || isUnreadable(result)) return run.finish();
  const why = secret.length > 0 ? "nothing could be decrypted" : "no conversation was recognised";
  return run.finishWithNothing(why, () => capture.flush());
}
