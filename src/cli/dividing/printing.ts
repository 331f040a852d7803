import { type Message, type Status, statuses } from "../../dissect/message.js";
import { MergedLines } from "../../parallel/shares/merged-lines.js";
import { type Pieces, PrintingTrace } from "../../parallel/shares/printing-trace.js";
import { ShareThreads } from "../../parallel/shares/share-threads.js";
import type { TracedTrouble } from "../../parallel/shares/trace-reader.js";
import type { DisplayOptions } from "../message-display.js";
import { formatOf } from "../options/format.js";
import { limitsOf } from "../options/limit-option.js";
import type { CaptureRun } from "../run/capture-run.js";
import { type DividingOptions, dividingOf } from "./dividing.js";
import { canLackNumbers, numberlessLines } from "./numberless-lines.js";

/** The options that a thread needs which prints. */
export interface PrintingOptions extends DividingOptions, DisplayOptions {
  readonly checksums?: boolean;
  readonly count?: number;
  readonly twoPass?: boolean;
}

/** Several threads that print, and how much of each capture they read. */
export interface DividedPrinting {
  readonly threads: ShareThreads<Pieces, null, MergedLines>;
  readonly lengths: readonly number[];
}

/** A message that is not sound, as far as remarks go. */
export type Troubled = Pick<Message, "protocol" | "name" | "status" | "notes"> & {
  readonly conversation: Pick<Message["conversation"], "stream">;
};

/**
 * Starts threads that divide the conversations, and print columns of their messages, where they are of use.
 *
 * @param troubled called with each message that is not sound, shown or not, in order
 */
export async function dividedPrinting(
  run: CaptureRun,
  options: PrintingOptions,
  captures: readonly string[],
  troubled: (message: Troubled) => void,
): Promise<DividedPrinting | undefined> {
  const { io, dissectors } = run.prepared;
  const isWanted = formatOf(options) === "fields" && options.count === undefined && options.twoPass !== true;
  if (!isWanted || io.worker === undefined || !canLackNumbers(options)) return undefined;
  const dividing = await dividingOf(run, options, captures);
  if (dividing === undefined || typeof dividing === "string") return undefined;
  const { count, setup } = dividing;
  const limits = limitsOf(options);
  const { output } = run;
  const lines = numberlessLines(options, dissectors);
  const conversations = new Map<number, Troubled["conversation"]>();
  const trouble = (traced: TracedTrouble) => {
    const { stream } = traced;
    const conversation = conversations.get(stream) ?? { stream };
    conversations.set(stream, conversation);
    troubled(messageOf(traced, conversation));
  };
  const listener = { write: (text: Uint8Array) => output.write(text), trouble };
  const threads = new ShareThreads<Pieces, null, MergedLines>(count, {
    module: new URL("dividing/printing-worker.js", io.worker),
    setup,
    limits,
    newWriter: (order, full) => new PrintingTrace(order, lines, full),
    merge: (client) => new MergedLines(count, limits, listener, client),
  });
  return { threads, lengths: setup.lengths };
}

function messageOf(
  { protocol, name, status, note, isRange }: TracedTrouble,
  conversation: Troubled["conversation"],
): Troubled {
  return {
    conversation,
    protocol,
    // Only a range can be a gap.
    name: isRange ? name : "",
    status: statusOf(status),
    notes: note === undefined ? [] : [{ severity: "warning", path: "", text: note }],
  };
}

function statusOf(text: string): Status {
  return statuses.find((status) => status === text) ?? "unknown";
}
