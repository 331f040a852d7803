import { STANDARD_INPUT } from "../../platform/node/capture-file.js";
import type { ProcessIo } from "../process-io.js";
import { openPager, type PagerOptions } from "../writing/paged.js";
import { printsToTerminal } from "../writing/printing.js";
import type { CaptureRun } from "./capture-run.js";
import type { CaptureRunOptions } from "./options.js";

/** Has what a run prints from now on shown page by page, except of live traffic, which is watched as it comes. */
export async function pageUnlessLive(run: CaptureRun, options: PagerOptions, io: ProcessIo): Promise<void> {
  if (run.prepared.captures.includes(STANDARD_INPUT)) return;
  const pager = await openPager(options, io);
  if (pager !== undefined) run.printThrough(pager);
}

/**
 * Prints what a run has found out, page by page: whoever has just ended a recording with Ctrl-C wants to see the end, so
 * that of live traffic comes at once.
 */
export async function printPaged(
  run: CaptureRun,
  texts: readonly string[],
  options: PagerOptions,
  io: ProcessIo,
): Promise<void> {
  if (texts.length > 0) await pageUnlessLive(run, options, io);
  for (const text of texts) run.output.write(text);
}

/** The options of a run that prints as it comes: on a terminal, that would run into a progress line. */
export function withoutProgress<O extends CaptureRunOptions>(options: O, io: ProcessIo): O {
  return printsToTerminal(options, io) ? { ...options, progress: false } : options;
}
