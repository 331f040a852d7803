import type { CopyAscii } from "../schema/codec.js";
import { viewOf } from "../schema/nodes.js";
import { PackedBytes, WORD } from "../schema/packed-bytes.js";
import { safeJson } from "./sanitise.js";

/** The characters that JSON consists of, besides those of strings. */
export const enum Mark {
  Comma = 0x2c,
  OpeningBracket = 0x5b,
  ClosingBracket = 0x5d,
  OpeningBrace = 0x7b,
  ClosingBrace = 0x7d,
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;
/** European letters, with nothing between them but the soft hyphen that would have to be escaped: two bytes each. */
const FIRST_SAFE = 0xa0;
const LAST_SAFE = 0x5ff;
const SOFT_HYPHEN = 0xad;
/** What shortened texts end with. */
const ELLIPSIS = 0x2026;
const MINUS = 0x2d;
const ZERO = 0x30;

/** Room for most lines. */
const USUAL = 64 * 1024;
/** What a larger text took is not kept for the next ones. */
const LARGEST_KEPT = 8 * 1024 * 1024;

/** Up to this length it is faster to look at each character than to call what is made for long texts. */
const SHORT = 32;
/** Characters that stand for themselves in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

const TRUE = new PackedBytes("true");
const FALSE = new PackedBytes("false");
const HEX_DIGITS = Buffer.from("0123456789abcdef");

/** Names that are kept at most: a protocol has some hundred of them. */
const MOST_NAMES = 4096;
const names = new Map<string, PackedBytes>();

/**
 * Puts JSON together as the bytes that are written in the end (UTF-8): as text, each line would be copied three times
 * more on its way out. One writer serves many lines, one after the other.
 */
export class JsonWriter {
  #bytes = Buffer.allocUnsafeSlow(USUAL);
  #view = viewOf(this.#bytes);
  #length = 0;

  /** Begins anew. */
  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > LARGEST_KEPT) this.#use(Buffer.allocUnsafeSlow(USUAL));
  }

  /** What has been written; valid until more is. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** What has been written, as text. */
  get text(): string {
    return this.#bytes.toString("utf8", 0, this.#length);
  }

  mark(mark: Mark): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = mark;
  }

  /** Some JSON that is written often. */
  constant({ length, words }: PackedBytes): void {
    this.#reserve(length);
    const view = this.#view;
    const start = this.#length;
    for (let index = 0; index < words.length; index++) view.setFloat64(start + index * WORD, words[index] ?? 0);
    this.#length = start + length;
  }

  /** Some JSON that has only ASCII characters. */
  ascii(json: string): void {
    const { length } = json;
    this.#reserve(length);
    const bytes = this.#bytes;
    const start = this.#length;
    for (let at = 0; at < length; at++) bytes[start + at] = json.charCodeAt(at);
    this.#length = start + length;
  }

  /** A value of any kind: 64-bit integers and bytes as strings, those in hexadecimal digits. */
  value(value: unknown): void {
    switch (typeof value) {
      case "bigint":
        this.ascii(`"${value}"`);
        return;
      case "number":
        this.number(value);
        return;
      case "boolean":
        this.boolean(value);
        return;
      case "string":
        this.string(value);
        return;
      default:
        if (value instanceof Uint8Array) this.hex(value);
        else if (Array.isArray(value)) this.#array(value);
        else this.#json(safeJson(value));
    }
  }

  /** A string that is written often, such as the name of a class. */
  name(text: string): void {
    let constant = names.get(text);
    if (constant === undefined) {
      constant = new PackedBytes(safeJson(text));
      if (names.size < MOST_NAMES) names.set(text, constant);
    }
    this.constant(constant);
  }

  string(text: string): void {
    const { length } = text;
    if (length > SHORT && PLAIN.test(text)) {
      this.#plain(text);
      return;
    }
    this.#reserve(3 * length + 2);
    const bytes = this.#bytes;
    let end = this.#length;
    bytes[end++] = QUOTE;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code >= 0x20 && code < DELETE) {
        if (code === QUOTE || code === BACKSLASH) bytes[end++] = BACKSLASH;
        bytes[end++] = code;
      } else if (code >= FIRST_SAFE && code <= LAST_SAFE && code !== SOFT_HYPHEN) {
        bytes[end++] = 0xc0 | (code >> 6);
        bytes[end++] = 0x80 | (code & 0x3f);
      } else if (code === ELLIPSIS) {
        bytes[end++] = 0xe2;
        bytes[end++] = 0x80;
        bytes[end++] = 0xa6;
      } else {
        this.#json(safeJson(text));
        return;
      }
    }
    bytes[end++] = QUOTE;
    this.#length = end;
  }

  /**
   * A string that somebody copies out of some bytes, if all of it is ASCII that needs no escapes.
   *
   * @returns false if it is not: then nothing is written
   */
  copied(copy: CopyAscii, source: Uint8Array, start: number, end: number): boolean {
    this.#reserve(end - start + 2);
    const bytes = this.#bytes;
    const first = this.#length + 1;
    const length = copy(source, start, end, bytes, first);
    for (let at = first; at < first + length; at++) {
      const code = bytes[at] ?? 0;
      if (code < 0x20 || code === QUOTE || code === BACKSLASH || code === DELETE) return false;
    }
    if (length < 0) return false;
    bytes[first - 1] = QUOTE;
    bytes[first + length] = QUOTE;
    this.#length = first + length + 1;
    return true;
  }

  /** A number; what JSON has no number for is a string. */
  number(value: number): void {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 32 && !Object.is(value, -0)) this.#integer(value);
    else if (Number.isFinite(value)) this.ascii(Object.is(value, -0) ? "-0" : String(value));
    else this.ascii(`"${value}"`);
  }

  boolean(value: boolean): void {
    this.constant(value ? TRUE : FALSE);
  }

  /** Bytes as a string of hexadecimal digits. */
  hex(data: Uint8Array): void {
    this.#reserve(2 * data.length + 2);
    const bytes = this.#bytes;
    let end = this.#length;
    bytes[end++] = QUOTE;
    for (let at = 0; at < data.length; at++) {
      const byte = data[at] ?? 0;
      bytes[end++] = HEX_DIGITS[byte >> 4] ?? 0;
      bytes[end++] = HEX_DIGITS[byte & 15] ?? 0;
    }
    bytes[end++] = QUOTE;
    this.#length = end;
  }

  /** A string of which all characters stand for themselves. */
  #plain(text: string): void {
    this.#reserve(text.length + 2);
    const bytes = this.#bytes;
    bytes[this.#length++] = QUOTE;
    this.#length += bytes.write(text, this.#length, "latin1");
    bytes[this.#length++] = QUOTE;
  }

  /** A whole number of at most 32 bits, and perhaps a sign. */
  #integer(value: number): void {
    this.#reserve(11);
    if (value < 0) {
      this.#bytes[this.#length++] = MINUS;
      this.#digits(-value);
    } else this.#digits(value);
  }

  #digits(value: number): void {
    if (value > 0x7fff_ffff) {
      // The division of what has 31 bits is several times as fast.
      const tenth = Math.floor(value / 10);
      this.#digits(tenth);
      this.#digits(value - 10 * tenth);
      return;
    }
    const bytes = this.#bytes;
    let rest = value | 0;
    let end = this.#length + digitsOf(rest);
    this.#length = end;
    do {
      const tenth = (rest / 10) | 0;
      bytes[--end] = ZERO + (rest - 10 * tenth);
      rest = tenth;
    } while (rest > 0);
  }

  #array(values: readonly unknown[]): void {
    this.mark(Mark.OpeningBracket);
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.mark(Mark.Comma);
      this.value(values[index]);
    }
    this.mark(Mark.ClosingBracket);
  }

  #json(json: string): void {
    this.#reserve(3 * json.length);
    this.#length += this.#bytes.write(json, this.#length);
  }

  #reserve(length: number): void {
    // Constants are written in whole words.
    const needed = this.#length + length + WORD;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#use(larger);
  }

  #use(buffer: Buffer<ArrayBuffer>): void {
    this.#bytes = buffer;
    this.#view = viewOf(buffer);
  }
}

function digitsOf(whole: number): number {
  if (whole < 10) return 1;
  if (whole < 100) return 2;
  let digits = 3;
  for (let least = 1000; whole >= least; least *= 10) digits++;
  return digits;
}
