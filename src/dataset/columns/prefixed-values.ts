import type { CopyAscii } from "../../schema/language/codec.js";
import { Utf8, type Value } from "../table.js";
import { EncodedValues } from "./encoded-values.js";
import type { Memory } from "./growing.js";
import type { Bounds, Encoded, Rows, Values, ValuesPart } from "./values.js";

/** Bytes in the length that comes before a text or bytes. */
const LENGTH = 4;
/** Most bytes of a UTF-16 code unit in UTF-8. */
const WIDEST = 3;
/** Up to this length, copying characters one by one is faster than asking an encoder. */
const SHORT = 96;

/** The digits of hexadecimal numbers, in ASCII. */
const DIGITS = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** How many texts are looked up by themselves, not by their bytes. */
const MOST_KNOWN = 256;
/** After so many that were not found, the column is taken to have ever other ones. */
const MOST_MISSES = 4096;

/**
 * Texts in UTF-8, or strings of bytes, each with its length before it. A value is entered, and then taken: alone, or with
 * those of other rows.
 */
export class PrefixedValues implements Values {
  readonly #values: EncodedValues;
  /** The first of the different texts, and which ones they are. */
  readonly #known = new Map<string, number>();
  /** How many texts were not among them. */
  #misses = 0;
  /** The text that came last, and which of the different ones it is. */
  #last: string | undefined;
  #lastIndex = -1;

  constructor(
    readonly type: "text" | "bytes",
    memory: Memory,
    isUnique: boolean,
  ) {
    this.#values = new EncodedValues(memory, isUnique);
  }

  get count(): number {
    return this.#values.count;
  }

  /** Which of the different values was entered last; -1 if they are not told apart. */
  get entered(): number {
    return this.#values.entered;
  }

  /** Grows whenever the positions of the different values are no longer what they were. */
  get generation(): number {
    return this.#values.generation;
  }

  /** True while values are told apart. */
  get isCopyable(): boolean {
    return this.#values.isDistinct;
  }

  /** Enters one of the different values again. */
  enterAgain(index: number): void {
    this.#values.entered = index;
  }

  /** Takes the value that was entered. */
  take(): void {
    this.#values.take();
  }

  /** Takes some of the different values again. @see EncodedValues.takeAgain */
  takeAgain(indexes: readonly number[]): void {
    this.#values.takeAgain(indexes);
  }

  /** Takes the values of rows that were entered. @see Rows */
  addColumn(rows: Rows): void {
    this.#values.takeColumn(rows);
  }

  add(value: Value): boolean {
    if (!this.enter(value)) return false;
    this.#values.take();
    return true;
  }

  /** Enters a value; false if it is not of this type. */
  enter(value: Value): boolean {
    if (this.type === "text") {
      if (typeof value === "string") this.#enterKnown(value);
      else if (value instanceof Utf8) this.enterBytes(value.bytes);
      else return false;
      return true;
    }
    if (!(value instanceof Uint8Array)) return false;
    this.enterBytes(value);
    return true;
  }

  /** Enters a value, and puts where `addColumn` takes it from which one it is; false if it is not of this type. */
  put(value: Value, numbers: Float64Array, at: number): boolean {
    if (!this.enter(value)) return false;
    numbers[at] = this.#values.entered;
    return true;
  }

  /** Gives up the value that was entered. */
  giveUp(): void {
    this.#values.giveUp(1, (value) => this.#startOf(value));
  }

  /** Enters bytes, or a text in UTF-8. */
  enterBytes(added: Uint8Array): void {
    const first = this.#reserve(added.length);
    this.#values.bytes.bytes.set(added, first);
    this.#end(first + added.length);
  }

  /** Adds the same text several times. */
  addTimes(text: string, times: number): void {
    this.#enterText(text);
    if (this.#values.isDistinct) this.#values.takeTimes(times);
    else for (let more = 1; more < times; more++) this.#enterText(text);
  }

  /** Enters the text of a leaf as it was captured; false if it is not all ASCII. */
  enterCaptured(copy: CopyAscii, bytes: Uint8Array, start: number, end: number): boolean {
    const first = this.#reserve(end - start);
    const length = copy(bytes, start, end, this.#values.bytes.bytes, first);
    if (length < 0) return false;
    this.#end(first + length);
    return true;
  }

  /** Enters bytes in hexadecimal as a text. */
  enterHex(hex: Uint8Array): void {
    const first = this.#reserve(2 * hex.length);
    const { bytes } = this.#values.bytes;
    for (let at = 0, to = first; at < hex.length; at++) {
      const byte = hex[at] ?? 0;
      bytes[to++] = DIGITS[byte >> 4] ?? 0;
      bytes[to++] = DIGITS[byte & 15] ?? 0;
    }
    this.#end(first + 2 * hex.length);
  }

  drop(count: number): void {
    this.#values.drop(count, (value) => this.#startOf(value));
  }

  get size(): number {
    return this.#values.size;
  }

  get part(): ValuesPart {
    return this.#values.part;
  }

  append({ bytes, indexes, isExact }: ValuesPart): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    /** Which of the different values of this column those of the part are. */
    const own: number[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = start + LENGTH + view.getUint32(start, true);
      this.enterBytes(bytes.subarray(start + LENGTH, end));
      if (indexes === undefined) this.take();
      else own.push(this.entered);
      start = end;
    }
    for (const index of indexes ?? []) {
      this.enterAgain(own[index] ?? 0);
      this.take();
    }
    if (!isExact) this.#values.isExact = false;
  }

  encoded(): Encoded {
    const encoded = this.#values.encoded();
    return encoded.indexes === undefined || this.type === "bytes" ? encoded : { ...encoded, bounds: this.#bounds() };
  }

  clear(): void {
    this.#values.clear();
    if (this.#known.size > 0) this.#known.clear();
    this.#misses = 0;
    this.#last = undefined;
  }

  #enterKnown(text: string): void {
    const values = this.#values;
    if (!values.isDistinct || text.length > SHORT) {
      this.#enterText(text);
      return;
    }
    if (this.#last === text) {
      values.entered = this.#lastIndex;
      return;
    }
    const known = this.#misses < MOST_MISSES ? this.#known.get(text) : undefined;
    if (known !== undefined) values.entered = known;
    else {
      this.#misses++;
      this.#enterText(text);
      if (this.#known.size < MOST_KNOWN) this.#known.set(text, values.entered);
    }
    this.#last = text;
    this.#lastIndex = values.entered;
  }

  #enterText(text: string): void {
    const first = this.#reserve(WIDEST * text.length);
    const { bytes } = this.#values.bytes;
    const end = text.length <= SHORT ? copyAscii(text, bytes, first) : -1;
    this.#end(end < 0 ? first + encoder.encodeInto(text, bytes.subarray(first)).written : end);
  }

  /** Makes room for so many bytes; returns where they begin. */
  #reserve(most: number): number {
    const { bytes } = this.#values;
    bytes.reserve(LENGTH + most);
    return bytes.length + LENGTH;
  }

  #end(end: number): void {
    const { bytes } = this.#values;
    bytes.view.setUint32(bytes.length, end - bytes.length - LENGTH, true);
    this.#values.enter(end);
  }

  #startOf(value: number): number {
    let start = 0;
    for (let at = 0; at < value; at++) start += LENGTH + this.#values.bytes.view.getUint32(start, true);
    return start;
  }

  #bounds(): Bounds | undefined {
    const { distinct, bytes, isExact } = this.#values;
    if (!isExact || distinct.size === 0) return undefined;
    const textOf = (value: number) => bytes.bytes.subarray(distinct.startOf(value) + LENGTH, distinct.endOf(value));
    let least = textOf(0);
    let most = least;
    for (let value = 1; value < distinct.size; value++) {
      const text = textOf(value);
      if (compare(text, least) < 0) least = text;
      else if (compare(text, most) > 0) most = text;
    }
    return { least: decoder.decode(least), most: decoder.decode(most) };
  }
}

/** Copies a text of ASCII characters; returns the end, or -1 for any other. */
function copyAscii(text: string, bytes: Uint8Array, offset: number): number {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return -1;
    bytes[offset + at] = code;
  }
  return offset + text.length;
}

function compare(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
