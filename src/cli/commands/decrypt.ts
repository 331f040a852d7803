import { PacketOrder } from "../../export/packet-order.js";
import { PlaintextCapture } from "../../export/plaintext-capture.js";
import { CaptureRun, type CaptureRunOptions, isReadable } from "../capture-run.js";
import type { CommandLine } from "../command-line.js";
import { limitsOf } from "../limit-option.js";
import { addConversionOptions } from "../options.js";
import { printsToTerminal } from "../printing.js";
import type { Surroundings } from "../surroundings.js";
import { Undecrypted } from "../undecrypted.js";
import { UsageError } from "../usage-error.js";
import { application } from "../version.js";

const EPILOGUE = `
Examples:
  moul-dissect decrypt session.pcap --keys dirtsand.ini -o plain.pcapng
  tcpdump -w - port 14617 | moul-dissect decrypt - --keys dirtsand.ini | wireshark -k -i -`;

/** Adds the command `decrypt` to the program. */
export function addDecryptCommand({ program, surroundings, end }: CommandLine): void {
  const command = program
    .command("decrypt")
    .description("Writes the plaintext of captures as a capture (pcapng) that Wireshark opens.")
    .argument("<capture...>", 'capture files; "-" reads standard input');
  addConversionOptions(command)
    .addHelpText("after", EPILOGUE)
    .action(async (captures: readonly string[], options: CaptureRunOptions) => {
      end(await decryptCommand(captures, options, surroundings));
    });
}

/** Writes the plaintext of recognised conversations as a capture; gives the exit code. */
async function decryptCommand(
  captures: readonly string[],
  options: CaptureRunOptions,
  surroundings: Surroundings,
): Promise<number> {
  if (printsToTerminal(options, surroundings)) {
    throw new UsageError("refusing to write a capture to a terminal; use -o or a pipe");
  }
  const run = await CaptureRun.prepare(captures, options, surroundings);
  const undecrypted = new Undecrypted();
  const capture = new PlaintextCapture((bytes) => run.output.write(bytes), {
    application,
    comment: "Packets that were made anew around what has been decrypted.",
  });
  const order = new PacketOrder(capture, limitsOf(options));
  const result = await run.read({
    plaintext: order.plaintext,
    network: order.network,
    listener: (message) => {
      if (message.status === "encrypted") undecrypted.add(message);
    },
    // The reader of a live capture wants to see each packet at once.
    goesOn: () => {
      if (capture.packets > 0) capture.flush();
      return true;
    },
  });
  if (result.captures.some((outcome) => outcome !== "unreadable")) capture.flush();
  for (const text of undecrypted.remarks()) run.remark(`${text}; what is encrypted is written as it was captured`);
  if (order.unknown > 0) run.remark(leftOut(order.unknown));
  if (order.late > 0) run.remark(late(order.late));
  if (capture.packets === 0 && isReadable(result))
    run.remark("there is nothing to write: no conversation is recognised");
  return run.finish();
}

function leftOut(conversations: number): string {
  return conversations === 1
    ? "1 conversation is left out: its protocol is not recognised"
    : `${conversations} conversations are left out: their protocols are not recognised`;
}

function late(packets: number): string {
  const are = packets === 1 ? "1 packet stands" : `${packets} packets stand`;
  return `${are} behind later ones: how to read them was not settled in time (--limit orderSeconds=N or orderBytes=N)`;
}
