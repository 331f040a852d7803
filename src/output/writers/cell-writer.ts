import type { CopyAscii } from "../../schema/language/codec.js";
import { Ascii } from "./ascii.js";
import { LineWriter } from "./line-writer.js";

/**
 * How the columns of a line are separated: by tabs, as in tshark, by commas, with quotes (RFC 4180), or not at all where
 * each is laid out on its own, for people.
 */
export type Separation = "tab" | "csv" | "none";

/** What makes a spreadsheet take a cell for a formula; blanks and a quote may be dropped before the rest is examined. */
const FORMULA = /^\s*["=+\-@\uff1d\uff0b\uff0d\uff20]/;
/** The same after a semicolon, at which some spreadsheets split cells even inside quotes. */
const FORMULA_AFTER_SEMICOLON = /;(?=\s*["=+\-@\uff1d\uff0b\uff0d\uff20])/g;
const NUMBER = /^\s*-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/;

/** Builds lines of columns. Several values of a column are separated by commas, which are not escaped. */
export class CellWriter extends LineWriter {
  /** Where the column begins. */
  #start = 0;
  #isFirst = true;
  #hasValues = false;

  constructor(readonly separation: Separation) {
    super();
  }

  override clear(): void {
    super.clear();
    this.#isFirst = true;
  }

  beginCell(): void {
    if (!this.#isFirst && this.separation !== "none") this.byte(this.separation === "tab" ? Ascii.Tab : Ascii.Comma);
    this.#isFirst = false;
    this.#start = this.filled;
    this.#hasValues = false;
  }

  override integer(value: number): void {
    this.#next();
    super.integer(value);
  }

  value(text: string): void {
    this.#next();
    const start = this.filled;
    this.text(text);
    this.#disarm(start);
  }

  /** A text written with `copied`; false, with nothing written, if it cannot be copied. */
  copiedValue(copy: CopyAscii, source: Uint8Array, first: number, end: number): boolean {
    const before = this.filled;
    const hadValues = this.#hasValues;
    this.#next();
    const start = this.filled;
    if (this.copied(copy, source, first, end)) {
      this.#disarm(start);
      return true;
    }
    this.truncate(before);
    this.#hasValues = hadValues;
    return false;
  }

  endCell(): void {
    if (this.separation !== "csv" || !this.#needsQuoting()) return;
    const cell = this.buffer.toString("utf8", this.#start, this.filled);
    this.truncate(this.#start);
    this.safe(quoted(cell));
  }

  endLine(): void {
    this.byte(Ascii.LineFeed);
  }

  #next(): void {
    if (this.#hasValues) this.byte(Ascii.Comma);
    this.#hasValues = true;
  }

  /** Turns a value that begins like a formula into text, with an apostrophe before it. */
  #disarm(start: number): void {
    if (this.separation === "none") return;
    // A value usually begins with a letter or a digit.
    const first = start < this.filled ? (this.buffer[start] ?? 0) : 0;
    if ((first >= Ascii.Zero && first <= Ascii.Nine) || (first > Ascii.AtSign && first <= Ascii.Tilde)) return;
    const text = this.buffer.toString("utf8", start, this.filled);
    if (!FORMULA.test(text) || NUMBER.test(text)) return;
    this.truncate(start);
    this.safe(`'${text}`);
  }

  /** True if the cell contains anything that may have to be quoted. */
  #needsQuoting(): boolean {
    const { buffer, filled } = this;
    for (let at = this.#start; at < filled; at++) {
      const byte = buffer[at] ?? 0;
      if (byte === Ascii.Comma || byte === Ascii.Quote || byte === Ascii.Semicolon) return true;
      const isEdge = at === this.#start || at === filled - 1;
      if (isEdge && (byte <= Ascii.Blank || byte > Ascii.Tilde)) return true;
    }
    return false;
  }
}

function quoted(cell: string): string {
  const text = cell.replace(FORMULA_AFTER_SEMICOLON, ";'");
  return /[",]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
