import { viewOf } from "../../schema/language/byte-source.js";
import type { CopyAscii } from "../../schema/language/codec.js";
import { hex } from "../../schema/tree/leaf.js";
import { isUsualSize, roundedNano, singleText } from "../../schema/tree/single-text.js";
import { Ascii } from "./ascii.js";
import { MOST_DIGITS, writeFraction } from "./fraction.js";
import { PackedBytes, WORD, wordsFor } from "./packed-bytes.js";
import { unitAt } from "./string-access.js";

/** Room for most lines. */
const USUAL = 64 * 1024;
/** A buffer that grew beyond this is not kept for the next text. */
const LARGEST_KEPT = 8 * 1024 * 1024;

/** Range of European letters, two bytes each, of which only the soft hyphen has to be escaped. */
const FIRST_SAFE = 0xa0;
const LAST_SAFE = 0x5ff;
const SOFT_HYPHEN = 0xad;
/** The character that ends shortened texts. */
const ELLIPSIS = 0x2026;
const ELLIPSIS_BYTES = new PackedBytes("…");

const NANO = 10 ** 9;
const NANO_DIGITS = 9;

/** Takes captured text in pieces; each kind of writer makes it safe in its own way. */
export interface TextWriter {
  /** A piece that is safe everywhere, such as the name of a field. */
  constant(text: PackedBytes): void;
  quote(): void;
  text(text: string): void;
  /** A whole number that a double holds exactly. */
  integer(value: number): void;
  /** A number of single precision, as `singleText` has it. */
  rounded(value: number): void;
  /**
   * Writes the text that `copy` reads from some bytes, if all of it is ASCII that is safe as it is.
   *
   * @param most characters, if not all of them are to be written
   * @returns false, with nothing written, if it is not
   */
  copied(copy: CopyAscii, source: Uint8Array, start: number, end: number, most?: number): boolean;
  /** Number of bytes written. */
  readonly length: number;
  /** Removes everything written beyond a length. */
  truncate(length: number): void;
}

/** More bytes than that are copied faster by the system, after some preparation. */
const MOST_IN_LOOP = 64;

/**
 * Builds text as the UTF-8 bytes that are finally written: as a string, each line would be copied three more times on
 * its way out. One writer serves many lines, one after the other.
 */
export class ByteWriter {
  /** @internal A type of Node.js: programs for browsers do not have it. */
  protected buffer = Buffer.allocUnsafeSlow(USUAL);
  /** Number of bytes in use, from the start of the buffer. */
  protected filled = 0;
  #view = viewOf(this.buffer);

  /** Starts over. */
  clear(): void {
    this.filled = 0;
    if (this.buffer.length > LARGEST_KEPT) this.#use(Buffer.allocUnsafeSlow(USUAL));
  }

  /** Number of bytes written. */
  get length(): number {
    return this.filled;
  }

  /** The bytes written; valid until the next write. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.buffer.buffer, 0, this.filled);
  }

  /** The text written. */
  toString(): string {
    return this.buffer.toString("utf8", 0, this.filled);
  }

  byte(byte: number): void {
    this.reserve(1);
    this.buffer[this.filled++] = byte;
  }

  /** A text that is written often. */
  constant({ words, first, length }: PackedBytes): void {
    this.packed(words, first, length);
  }

  /** The same, given what `PackedBytes` consists of: for those who keep it, as each object is another place in memory. */
  packed(words: Float64Array, first: number, length: number): void {
    this.reserve(length);
    const view = this.#view;
    const start = this.filled;
    const count = wordsFor(length);
    for (let index = 0; index < count; index++) view.setFloat64(start + index * WORD, words[first + index] ?? 0, true);
    this.filled = start + length;
  }

  /** A whole number of at most 32 bits: few digits in most cases. */
  smallInteger(value: number): void {
    if (value >= 0 && value < 10) this.byte(Ascii.Zero + value);
    else this.integer(value);
  }

  /** Text that has only ASCII characters. */
  ascii(text: string): void {
    const { length } = text;
    this.reserve(length);
    const bytes = this.buffer;
    const start = this.filled;
    for (let at = 0; at < length; at++) bytes[start + at] = unitAt(text, at);
    this.filled = start + length;
  }

  /** Text of any kind. */
  utf8(text: string): void {
    this.reserve(3 * text.length);
    this.filled += this.buffer.write(text, this.filled);
  }

  /** Text whose characters each take one byte in both Latin-1 and UTF-8; faster than `ascii` for long texts. */
  latin1(text: string): void {
    this.reserve(text.length);
    this.filled += this.buffer.write(text, this.filled, "latin1");
  }

  /**
   * Writes text of printable ASCII and European letters, as most is; false, with nothing written, if there is anything
   * else in it.
   *
   * @param escapes true to put a backslash before quotes and backslashes
   */
  protected usual(text: string, escapes: boolean): boolean {
    const { length } = text;
    this.reserve(3 * length);
    const { buffer } = this;
    let end = this.filled;
    for (let at = 0; at < length; at++) {
      const code = unitAt(text, at);
      if (code >= Ascii.Blank && code < Ascii.Delete) {
        if (escapes && (code === Ascii.Quote || code === Ascii.Backslash)) buffer[end++] = Ascii.Backslash;
        buffer[end++] = code;
      } else if (code >= FIRST_SAFE && code <= LAST_SAFE && code !== SOFT_HYPHEN) {
        buffer[end++] = 0xc0 | (code >> 6);
        buffer[end++] = 0x80 | (code & 0x3f);
      } else if (code === ELLIPSIS) {
        buffer[end++] = 0xe2;
        buffer[end++] = 0x80;
        buffer[end++] = 0xa6;
      } else return false;
    }
    this.filled = end;
    return true;
  }

  /** Bytes that are text already, from `start` up to `end`. */
  copy(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.reserve(length);
    const { buffer, filled } = this;
    if (length > MOST_IN_LOOP) buffer.set(source.subarray(start, end), filled);
    else for (let at = 0; at < length; at++) buffer[filled + at] = source[start + at] ?? 0;
    this.filled = filled + length;
  }

  /** Removes everything written beyond a length. */
  truncate(length: number): void {
    this.filled = length;
  }

  blanks(count: number): void {
    this.reserve(count);
    for (let left = count; left > 0; left--) this.buffer[this.filled++] = Ascii.Blank;
  }

  /** A whole number that a double holds exactly. */
  integer(value: number): void {
    if (value < 0) this.byte(Ascii.Minus);
    this.digits(Math.abs(value));
  }

  /** A whole number, not negative and below 2^53, padded on the left to a width. */
  digits(value: number, width = 1, before = Ascii.Zero): void {
    if (value > 0x7fff_ffff) {
      // Dividing numbers of 31 bits is several times as fast.
      const tenth = Math.floor(value / 10);
      this.digits(tenth, width - 1, before);
      this.digits(value - 10 * tenth);
      return;
    }
    let rest = value | 0;
    const count = Math.max(widthOf(rest), width);
    this.reserve(count);
    const bytes = this.buffer;
    const start = this.filled;
    let at = start + count;
    this.filled = at;
    do {
      const tenth = (rest / 10) | 0;
      bytes[--at] = Ascii.Zero + (rest - 10 * tenth);
      rest = tenth;
    } while (rest > 0);
    while (at > start) bytes[--at] = before;
  }

  /** A number for which `isUsualSingle` is true. */
  single(value: number): void {
    const size = Math.abs(value);
    if (value < 0) this.byte(Ascii.Minus);
    this.digits(Math.floor(size));
    this.byte(Ascii.Point);
    this.reserve(MOST_DIGITS);
    this.filled = writeFraction(size, this.buffer, this.filled);
  }

  /** A number of single precision, rounded to 7 digits, as `singleText` has it. */
  rounded(value: number): void {
    const size = Math.abs(value);
    if (!isUsualSize(size)) {
      this.ascii(singleText(value));
      return;
    }
    if (value < 0) this.byte(Ascii.Minus);
    const nano = roundedNano(size);
    const whole = Math.floor(nano / NANO);
    this.digits(whole);
    let places = (nano - whole * NANO) | 0;
    if (places === 0) return;
    this.byte(Ascii.Point);
    let width = NANO_DIGITS;
    for (; places % 10 === 0; places = (places / 10) | 0) width--;
    this.digits(places, width);
  }

  /** The text that `copy` reads from some bytes, in quotes; false, with nothing written, if it needs an escape. */
  quotedAscii(copy: CopyAscii, source: Uint8Array, start: number, end: number): boolean {
    this.byte(Ascii.Quote);
    if (this.copyPrintable(copy, source, start, end, undefined, Ascii.Quote, Ascii.Backslash)) {
      this.byte(Ascii.Quote);
      return true;
    }
    this.filled--;
    return false;
  }

  /** Bytes from `start` up to `end` as hexadecimal digits. */
  hex(data: Uint8Array, start: number, end: number): void {
    this.reserve(2 * (end - start));
    const view = this.#view;
    let filled = this.filled;
    for (let at = start; at < end; at++) {
      view.setUint16(filled, HEX_PAIRS[data[at] ?? 0] ?? 0);
      filled += 2;
    }
    this.filled = filled;
  }

  /**
   * Does what `TextWriter.copied` does: writes nothing if there is anything but printable ASCII.
   *
   * @param most characters that are written; an ellipsis stands for the others
   * @param first a character that must not occur either, like `second`; 0 stands for none
   */
  protected copyPrintable(
    copy: CopyAscii,
    source: Uint8Array,
    start: number,
    end: number,
    most = Number.POSITIVE_INFINITY,
    first = 0,
    second = 0,
  ): boolean {
    this.reserve(end - start);
    const bytes = this.buffer;
    const from = this.filled;
    const length = copy(source, start, end, bytes, from);
    for (let at = from; at < from + length; at++) {
      const code = bytes[at] ?? 0;
      if (code < Ascii.Blank || code > Ascii.Tilde || code === first || code === second) return false;
    }
    if (length < 0) return false;
    this.filled = from + Math.min(length, most);
    if (length > most) this.constant(ELLIPSIS_BYTES);
    return true;
  }

  /** Makes room for a number of bytes. */
  protected reserve(length: number): void {
    // Constants are written in whole words.
    const needed = this.filled + length + WORD;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.buffer.length));
    larger.set(this.buffer.subarray(0, this.filled));
    this.#use(larger);
  }

  #use(buffer: Buffer<ArrayBuffer>): void {
    this.buffer = buffer;
    this.#view = viewOf(buffer);
  }
}

/** The two digits of each byte, as one number: written at once. */
const HEX_PAIRS = Uint16Array.from({ length: 256 }, (_, byte) => Buffer.from(hex(Uint8Array.of(byte))).readUInt16BE());

/** Number of digits of a whole number that is not negative. */
export function widthOf(whole: number): number {
  if (whole < 10) return 1;
  if (whole < 100) return 2;
  let digits = 3;
  for (let least = 1000; whole >= least; least *= 10) digits++;
  return digits;
}
