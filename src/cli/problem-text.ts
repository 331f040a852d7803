import type { CaptureProblem } from "../index.js";

/** What is wrong with a capture, as a sentence that begins with its name. */
export function problemText({ file, frame, offset, text }: CaptureProblem): string {
  return offset === 0 ? `${file}: ${text}` : `${file}: ${text} (frame ${frame}, offset ${offset})`;
}
