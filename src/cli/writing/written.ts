import type { CaptureRun } from "../run/capture-run.js";
import type { TextOutput } from "./text-output.js";

/**
 * Writes a file in one go, beside the output of a run; says so if it cannot be written.
 *
 * @param text as a whole, or in pieces: together, they may be longer than a string can be
 */
export async function written(
  file: TextOutput,
  text: string | Iterable<string | Uint8Array>,
  run: CaptureRun,
): Promise<boolean> {
  for (const piece of typeof text === "string" ? [text] : text) {
    file.write(piece);
    if (file.isFull) await file.drained();
  }
  await file.end();
  if (file.failure === undefined) return true;
  run.say(file.failure);
  return false;
}
