import { dividedPrinting, type PrintingOptions } from "../dividing/printing.js";
import { conflictsIn } from "../dividing/share-run.js";
import { passing } from "../message-display.js";
import type { FailureWatch } from "../options/fail-on.js";
import type { CaptureRun } from "../run/capture-run.js";
import { Findings } from "./findings.js";

/**
 * Prints a recording with several threads that divide its conversations, where that is possible, and of use.
 *
 * @returns up to which message everything has been printed; undefined if that is all
 */
export async function printDivided(
  run: CaptureRun,
  captures: readonly string[],
  options: PrintingOptions,
  watch: FailureWatch,
): Promise<number | undefined> {
  const findings = new Findings();
  const divided = await dividedPrinting(run, options, captures, (message) => {
    watch.see({ ...message, nodes: undefined });
    findings.undecrypted.see(message);
  });
  if (divided === undefined) return 0;
  const { threads, lengths } = divided;
  const { merged } = threads;
  const { packets } = findings;
  try {
    const { share } = threads;
    const work = {
      listener: threads.listener(await passing(options.filter, run.prepared.dissectors)),
      network: {
        checksum: packets.checksum.bind(packets),
        ...conflictsIn(share),
      },
      checksums: options.checksums ?? false,
      skims: true,
      share,
      lengths,
      onClockSetBack: () => share.unusual("the clock was set back"),
      goesOn: () => threads.between(),
      finish: () => (run.isInterrupted ? undefined : threads.finish()),
      isValid: () => run.isInterrupted || threads.isValid(),
    };
    const result = await run.read(work, captures);
    if (!work.isValid()) {
      const why = `conversations are not divided, because ${threads.reason ?? ""}`;
      if (options.threads !== undefined) run.remark(`--threads ${options.threads}: ${why}`);
      return merged.number;
    }
    findings.seen = merged.number;
    findings.printed = merged.lines;
    const isFilterWatched = options.filter !== undefined && run.prepared.io.stderr.isTTY === true;
    for (const text of findings.remarks({ result, isWhole: true, isFilterWatched })) run.remark(text);
    return undefined;
  } finally {
    await threads.stop();
  }
}
