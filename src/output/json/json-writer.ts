import type { CopyAscii } from "../../schema/language/codec.js";
import { Ascii } from "../writers/ascii.js";
import { ByteWriter, type TextWriter } from "../writers/byte-writer.js";
import { isUsualSingle } from "../writers/fraction.js";
import { PackedBytes } from "../writers/packed-bytes.js";
import { safeJson } from "../writers/sanitise.js";

/** Up to this length, looking at each character is faster than calling functions made for long texts. */
const SHORT = 64;
/** Characters that stand for themselves in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

const TRUE = new PackedBytes("true");
const FALSE = new PackedBytes("false");
/** Most names kept: a protocol has a few hundred of them. */
const MOST_NAMES = 4096;
const names = new Map<string, PackedBytes>();
/** The last one: the same tends to come again. */
const last = { text: "", json: new PackedBytes('""') };

/** Builds JSON. What a `TextWriter` calls text goes inside a string, between two quotes. */
export class JsonWriter extends ByteWriter implements TextWriter {
  /**
   * Begins an object whose members are written already, each with a comma before it; that of the first one becomes a
   * brace.
   *
   * @param start where they begin
   */
  open(start: number): void {
    if (this.filled === start) this.byte(Ascii.OpeningBrace);
    else this.buffer[start] = Ascii.OpeningBrace;
  }

  /** A value of any kind: 64-bit integers as strings, bytes as strings of hexadecimal digits. */
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
        if (value instanceof Uint8Array) this.hexString(value);
        else if (Array.isArray(value)) this.#array(value);
        else if (typeof value === "object" && value !== null) this.#object(value);
        else this.utf8(safeJson(value));
    }
  }

  /** A string that is written often, such as the name of a class. */
  name(text: string): void {
    if (text !== last.text) {
      last.text = text;
      last.json = nameJson(text);
    }
    this.constant(last.json);
  }

  string(text: string): void {
    this.byte(Ascii.Quote);
    this.text(text);
    this.byte(Ascii.Quote);
  }

  /** A number; one that JSON cannot express is written as a string. */
  number(value: number): void {
    if (Number.isInteger(value) && Math.abs(value) < 2 ** 32 && !Object.is(value, -0)) this.integer(value);
    else if (isUsualSingle(value)) this.single(value);
    // `String` would leave the text in V8's number-to-string cache, where it lives long enough to count as old.
    else if (Number.isFinite(value)) this.ascii(Object.is(value, -0) ? "-0" : JSON.stringify(value));
    else this.ascii(`"${value}"`);
  }

  boolean(value: boolean): void {
    this.constant(value ? TRUE : FALSE);
  }

  /** Bytes from `start` up to `end` as a string of hexadecimal digits. */
  hexString(data: Uint8Array, start = 0, end = data.length): void {
    this.byte(Ascii.Quote);
    this.hex(data, start, end);
    this.byte(Ascii.Quote);
  }

  quote(): void {
    this.byte(Ascii.Backslash);
    this.byte(Ascii.Quote);
  }

  text(text: string): void {
    const { length } = text;
    if (length > SHORT && PLAIN.test(text)) {
      this.latin1(text);
      return;
    }
    if (!this.usual(text, true)) this.utf8(safeJson(text).slice(1, -1));
  }

  copied(copy: CopyAscii, source: Uint8Array, start: number, end: number, most?: number): boolean {
    return this.copyPrintable(copy, source, start, end, most, Ascii.Quote, Ascii.Backslash);
  }

  #object(value: object): void {
    this.byte(Ascii.OpeningBrace);
    let isFirst = true;
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      if (!isFirst) this.byte(Ascii.Comma);
      isFirst = false;
      this.name(name);
      this.byte(Ascii.Colon);
      this.value(member);
    }
    this.byte(Ascii.ClosingBrace);
  }

  #array(values: readonly unknown[]): void {
    this.byte(Ascii.OpeningBracket);
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.byte(Ascii.Comma);
      this.value(values[index]);
    }
    this.byte(Ascii.ClosingBracket);
  }
}

function nameJson(text: string): PackedBytes {
  const known = names.get(text);
  if (known !== undefined) return known;
  const json = new PackedBytes(safeJson(text));
  if (names.size < MOST_NAMES) names.set(text, json);
  return json;
}
