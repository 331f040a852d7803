import { counted } from "../../common/counted.js";
import { messageTitle } from "../../dissect/message-title.js";
import { PacketNames } from "../../export/packet-names.js";
import { PacketOrder } from "../../export/packet-order.js";
import { PlaintextCapture } from "../../export/plaintext-capture.js";
import { delayed } from "../../remarks/delayed.js";
import { LeftOut } from "../../remarks/left-out.js";
import { Undecrypted } from "../../remarks/undecrypted.js";
import type { CommandLine } from "../command-line.js";
import { limitsOf } from "../options/limit-option.js";
import { addConversionOptions, capturesArgument } from "../options/shared.js";
import type { ProcessIo } from "../process-io.js";
import { CaptureRun } from "../run/capture-run.js";
import type { CaptureRunOptions } from "../run/options.js";
import { isUnreadable } from "../run/verdict.js";
import { application } from "../version.js";
import { refuseTerminal } from "../writing/printing.js";
import { type Wrap, WrittenCapture } from "../writing/written-capture.js";

const EPILOGUE = `
Examples:
  moul-dissect decrypt session.pcap --keys dirtsand.ini -o plain.pcapng
  tcpdump -w - port 14617 | moul-dissect decrypt - --keys dirtsand.ini | wireshark -k -i -`;

/** Adds the command `decrypt` to the program. */
export function addDecryptCommand({ program, io, end }: CommandLine): void {
  const command = program
    .command("decrypt")
    .description("Writes the plaintext of captures as a capture (pcapng) that Wireshark can open.")
    .addArgument(capturesArgument());
  addConversionOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: CaptureRunOptions) => {
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
  options: CaptureRunOptions,
  io: ProcessIo,
  wrap?: Wrap,
): Promise<number> {
  refuseTerminal(options, io);
  const run = await CaptureRun.prepare(captures, options, io);
  const undecrypted = new Undecrypted();
  const written = new WrittenCapture(run, wrap);
  const capture = new PlaintextCapture((bytes) => written.write(bytes), {
    application,
    comment: "Packets rebuilt around the decrypted data.",
  });
  const names = new PacketNames();
  const order = new PacketOrder(capture, names, limitsOf(options));
  const leftOut = new LeftOut();
  const result = await run.read({
    // Plaintext does not wait for that of other conversations.
    order: "conversation",
    network: {
      opened: (conversation) => order.opened(conversation, leftOut.opened(conversation)),
    },
    listener: (message) => {
      undecrypted.see(message);
      names.see(message, messageTitle(message));
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
  for (const text of undecrypted.remarks()) run.remark(`${text}; encrypted data is written as it was captured`);
  for (const text of leftOut.remarks(result.packets)) run.remark(text);
  if (order.late > 0) run.remark(late(order.late));
  for (const text of delayed(capture.delayed - order.late)) run.remark(text);
  if (!isEmpty || isUnreadable(result)) return run.finish();
  return run.finishWithNothing("no conversation was recognised", () => capture.flush());
}

function late(packets: number): string {
  const come = packets === 1 ? "comes" : "come";
  const why = "how to read them, or whether bytes before them are lost, was not settled in time";
  return `${counted(packets, "packet")} ${come} after later ones: ${why} (--limit orderSeconds=N or orderBytes=N)`;
}
