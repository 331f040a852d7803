import type { CopyAscii } from "../schema/codec.js";
import { Ascii } from "./ascii.js";
import { ByteWriter, type TextWriter } from "./byte-writer.js";
import { printable } from "./sanitise.js";
import { unitAt } from "./string-access.js";

/** Builds lines that are safe for a terminal. */
export class LineWriter extends ByteWriter implements TextWriter {
  quote(): void {
    this.byte(Ascii.Quote);
  }

  /** Captured text; unsafe characters are shown as escapes. */
  text(text: string): void {
    if (!this.#printableAscii(text)) this.utf8(printable(text));
  }

  /** Text that is already safe, and may contain colours. */
  safe(text: string): void {
    if (!this.#printableAscii(text)) this.utf8(text);
  }

  copied(copy: CopyAscii, source: Uint8Array, start: number, end: number): boolean {
    return this.copyPrintable(copy, source, start, end);
  }

  /** Writes text of printable ASCII, as most is; false, with nothing written, if there is anything else in it. */
  #printableAscii(text: string): boolean {
    const { length } = text;
    this.reserve(length);
    const { buffer, filled } = this;
    for (let at = 0; at < length; at++) {
      const code = unitAt(text, at);
      if (code < Ascii.Blank || code > Ascii.Tilde) return false;
      buffer[filled + at] = code;
    }
    this.filled = filled + length;
    return true;
  }
}
