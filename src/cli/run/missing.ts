import type { CaptureProblem } from "../../capture/packet.js";
import { STANDARD_INPUT } from "../../platform/node/capture-file.js";
import { whyUnreadable } from "../../platform/node/file-error.js";
import { statOf } from "../../platform/node/system-path.js";

const IS_MISSING: ReadonlySet<unknown> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"]);

/** Why there is no such capture; undefined if there is one, though perhaps it cannot be read. */
export async function whyMissing(path: string): Promise<string | undefined> {
  if (path === STANDARD_INPUT) return undefined;
  try {
    await statOf(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && IS_MISSING.has(error.code)) return whyUnreadable(error);
  }
  return undefined;
}

/** The captures that are missing, as reading them would report it. */
export async function missingAmong(captures: readonly string[]): Promise<readonly CaptureProblem[]> {
  const problems: CaptureProblem[] = [];
  for (const file of captures) {
    const text = await whyMissing(file);
    if (text !== undefined) problems.push({ file, frame: 0, offset: 0, text });
  }
  return problems;
}
