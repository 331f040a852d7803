import { setTimeout } from "node:timers/promises";

/** What Windows reports for a file that another program has open, if only to scan it for viruses. */
const IS_OPEN: ReadonlySet<unknown> = new Set(["EACCES", "EBUSY", "EPERM"]);

/** Milliseconds between attempts. */
const PAUSES = process.platform === "win32" ? [20, 50, 100, 200, 400, 800] : [];

/** Does something to a file, and retries for a while if another program may have the file open. */
export async function patiently(action: () => Promise<void>, pauses: readonly number[] = PAUSES): Promise<void> {
  for (const pause of pauses) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Error && "code" in error && IS_OPEN.has(error.code))) throw error;
      await setTimeout(pause);
    }
  }
  return action();
}
