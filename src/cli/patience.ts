import { setTimeout } from "node:timers/promises";

/** What Windows says of a file that another program has open, if only to look for viruses in it. */
const IS_OPEN: ReadonlySet<unknown> = new Set(["EACCES", "EBUSY", "EPERM"]);

/** Milliseconds between attempts. */
const PAUSES = process.platform === "win32" ? [20, 50, 100, 200, 400, 800] : [];

/** Does something to a file; tries it again, for a while, where another program may have the file open. */
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
