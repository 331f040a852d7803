import { PlainWriter } from "./plain-writer.js";
import { printable } from "./sanitise.js";

/** Builds lines that are safe for a terminal. */
export class LineWriter extends PlainWriter {
  /** Captured text; unsafe characters are shown as escapes. */
  override text(text: string): void {
    if (!this.usual(text, false)) this.utf8(printable(text));
  }

  /** Text that is already safe, and may contain colours. */
  safe(text: string): void {
    super.text(text);
  }
}
