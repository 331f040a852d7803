import { stat } from "node:fs/promises";
import { STANDARD_INPUT } from "../../capture/source.js";
import { whyUnreadable } from "../../file-error.js";

const IS_MISSING: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/** Why there is no such capture; undefined if there is one, though perhaps it cannot be read. */
export async function whyMissing(path: string): Promise<string | undefined> {
  if (path === STANDARD_INPUT) return undefined;
  try {
    await stat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && IS_MISSING.has(error.code)) return whyUnreadable(error);
  }
  return undefined;
}
