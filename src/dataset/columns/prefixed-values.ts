import type { CopyAscii } from "../../schema/language/codec.js";
import type { Value } from "../table.js";
import { EncodedValues } from "./encoded-values.js";
import type { Memory } from "./growing.js";
import type { Bounds, Encoded, Values } from "./values.js";

/** Bytes in the length that comes before a text or bytes. */
const LENGTH = 4;
/** Most bytes of a UTF-16 code unit in UTF-8. */
const WIDEST = 3;
/** Up to this length, copying characters one by one is faster than asking an encoder. */
const SHORT = 96;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A text that came not long ago, and which of the different ones it is. */
interface Recent {
  readonly text: string;
  readonly index: number;
}

/** How many of them are looked at: a power of two. */
const RECENT = 16;

/** Texts in UTF-8, or strings of bytes, each with its length before it. */
export class PrefixedValues implements Values {
  readonly #values: EncodedValues;
  readonly #recent: (Recent | undefined)[] = [];

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

  add(value: Value): boolean {
    if (this.type === "text" ? typeof value !== "string" : !(value instanceof Uint8Array)) return false;
    if (typeof value === "string") this.#addKnown(value);
    else if (value instanceof Uint8Array) {
      const first = this.#reserve(value.length);
      this.#values.bytes.bytes.set(value, first);
      this.#end(first + value.length);
    }
    return true;
  }

  /** Adds the same text several times. */
  addTimes(text: string, times: number): void {
    this.#addText(text);
    const index = this.#values.lastIndex;
    if (index >= 0) this.#values.repeatTimes(index, times - 1);
    else for (let more = 1; more < times; more++) this.#addText(text);
  }

  /** Adds the text of a leaf as it was captured; false if it is not all ASCII. */
  addCaptured(copy: CopyAscii, bytes: Uint8Array, start: number, end: number): boolean {
    const first = this.#reserve(end - start);
    const length = copy(bytes, start, end, this.#values.bytes.bytes, first);
    if (length < 0) return false;
    this.#end(first + length);
    return true;
  }

  drop(count: number): void {
    this.#values.drop(count, (value) => this.#startOf(value));
  }

  encoded(): Encoded {
    const encoded = this.#values.encoded();
    return encoded.indexes === undefined || this.type === "bytes" ? encoded : { ...encoded, bounds: this.#bounds() };
  }

  clear(): void {
    this.#values.clear();
    this.#recent.length = 0;
  }

  #addKnown(text: string): void {
    if (!this.#values.isDistinct || text.length > SHORT) {
      this.#addText(text);
      return;
    }
    const place = (text.length ^ (text.charCodeAt(text.length >> 1) << 1)) & (RECENT - 1);
    const recent = this.#recent[place];
    if (recent !== undefined && recent.text === text) this.#values.repeat(recent.index);
    else {
      this.#addText(text);
      const index = this.#values.lastIndex;
      this.#recent[place] = index < 0 ? undefined : { text, index };
    }
  }

  #addText(text: string): void {
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
    this.#values.add(end);
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
