import type { CaptureRun } from "../run/capture-run.js";
import type { TextOutput } from "./text-output.js";

/** Writes a file in one go, beside the output of a run; says so if it cannot be written. */
export async function written(file: TextOutput, text: string, run: CaptureRun): Promise<boolean> {
  file.write(text);
  await file.end();
  if (file.failure === undefined) return true;
  run.say(file.failure);
  return false;
}
