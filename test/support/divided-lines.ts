import type { CaptureSource } from "../../src/capture/source.js";
import { canLackNumbers, numberlessLines } from "../../src/cli/dividing/numberless-lines.js";
import { type DisplayOptions, displayOf } from "../../src/cli/message-display.js";
import type { Message } from "../../src/dissect/message.js";
import { dissectors } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import { colorless } from "../../src/output/text/palette.js";
import { MergedLines } from "../../src/parallel/shares/merged-lines.js";
import { type Pieces, PrintingTrace } from "../../src/parallel/shares/printing-trace.js";
import { ShareOfThread } from "../../src/parallel/shares/share-of-thread.js";
import type { TracedTrouble } from "../../src/parallel/shares/trace-reader.js";
import type { EngineOptions } from "../../src/pipeline/options.js";
import { runCaptures } from "../../src/pipeline/run.js";

/** Lines, how many messages there were, and what was wrong with them. */
export interface Printed {
  readonly text: string;
  readonly number: number;
  readonly troubles: readonly TracedTrouble[];
}

/** Columns of all kinds; a name, too, so that conversations may depend on each other. */
export const COLUMNS = [
  "time",
  "number",
  "stream",
  "message",
  "playerId",
  "conversation.player",
  "objectName",
  "notes",
];

/** Prints with one thread. */
export async function printWhole(
  source: CaptureSource,
  options: EngineOptions,
  shown: DisplayOptions,
): Promise<Printed> {
  const { passes, print } = await displayOf(shown, colorless, dissectors);
  const lines: string[] = [];
  const troubles: TracedTrouble[] = [];
  let number = 0;
  await runCaptures([source], { ...options, skims: true }, (message) => {
    number++;
    if (message.status !== "ok" || message.nodes === undefined) troubles.push(troubleOf(message));
    if (passes(message)) lines.push(Buffer.from(print(message)).toString());
  });
  return { text: lines.join(""), number, troubles };
}

function troubleOf({ conversation, protocol, name, status, notes, nodes }: Message): TracedTrouble {
  const { stream } = conversation;
  return { stream, protocol, name, status, note: notes[0]?.text, isRange: nodes === undefined };
}

/** Prints as several threads would, one after the other, up to what may make a difference, if anything does. */
export async function printDivided(
  source: CaptureSource,
  options: EngineOptions,
  shown: DisplayOptions,
  threads: number,
): Promise<Printed & { readonly reason: string | undefined }> {
  if (!canLackNumbers(shown)) throw new Error("the lines depend on numbers");
  const { passes } = await displayOf(shown, colorless, dissectors);
  const lines = numberlessLines(shown, dissectors);
  const texts: string[] = [];
  const troubles: TracedTrouble[] = [];
  let reason: string | undefined;
  const unusual = (why: string) => {
    reason ??= why;
  };
  const listener = {
    write: (text: Uint8Array) => void texts.push(Buffer.from(text).toString()),
    trouble: (trouble: TracedTrouble) => void troubles.push(trouble),
  };
  const merged = new MergedLines(threads, defaultLimits, listener, { unusual, released: () => {} });
  // They take turns at reading, block by block.
  const runs = Array.from({ length: threads }, async (_, thread) => {
    const share = new ShareOfThread<Pieces>({ thread, threads }, defaultLimits, {
      newWriter: (order, full) => new PrintingTrace(order, lines, full),
      full: (trace) => merged.add(thread, trace),
      unusual,
    });
    const drain = () => {
      share.writer.flush();
      if (reason === undefined) merged.drain();
      return true;
    };
    const run = {
      ...options,
      skims: true,
      share: share.share,
      onClockSetBack: () => unusual("the clock was set back"),
    };
    await runCaptures([source], run, share.listener(passes), drain);
    share.writer.flush();
    merged.end(thread);
    if (reason === undefined) merged.drain();
  });
  await Promise.all(runs);
  if (reason === undefined && !merged.isDone) throw new Error("something was never passed on");
  return { text: texts.join(""), number: merged.number, troubles, reason };
}
