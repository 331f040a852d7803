import type { CopyAscii } from "../../schema/language/codec.js";
import { Ascii } from "./ascii.js";
import { ByteWriter, type TextWriter } from "./byte-writer.js";

/** Builds text as it is: for formats in which every character is data. Half of a surrogate pair is replaced. */
export class PlainWriter extends ByteWriter implements TextWriter {
  quote(): void {
    this.byte(Ascii.Quote);
  }

  text(text: string): void {
    if (!this.usual(text, false)) this.utf8(text);
  }

  copied(copy: CopyAscii, source: Uint8Array, start: number, end: number, most?: number): boolean {
    return this.copyPrintable(copy, source, start, end, most);
  }
}
