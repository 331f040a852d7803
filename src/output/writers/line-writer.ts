import type { CopyAscii } from "../../schema/language/codec.js";
import { Ascii } from "./ascii.js";
import { ByteWriter, type TextWriter } from "./byte-writer.js";
import { printable } from "./sanitise.js";

/** Builds lines that are safe for a terminal. */
export class LineWriter extends ByteWriter implements TextWriter {
  quote(): void {
    this.byte(Ascii.Quote);
  }

  /** Captured text; unsafe characters are shown as escapes. */
  text(text: string): void {
    if (!this.usual(text, false)) this.utf8(printable(text));
  }

  /** Text that is already safe, and may contain colours. */
  safe(text: string): void {
    if (!this.usual(text, false)) this.utf8(text);
  }

  copied(copy: CopyAscii, source: Uint8Array, start: number, end: number): boolean {
    return this.copyPrintable(copy, source, start, end);
  }
}
