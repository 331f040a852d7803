import type { ScalarType } from "../../schema/columns/column-type.js";
import { type Value, Words } from "../table.js";
import { GrowingBytes, type Memory } from "./growing.js";
import { dictionaryOf } from "./number-dictionary.js";
import type { Bounds, Encoded, Rows, Values, ValuesPart } from "./values.js";

type NumberType = Exclude<ScalarType, "boolean" | "text" | "bytes" | "json">;

const WORD = 2 ** 32;
const LOW = 0xffffffffn;

/** The whole numbers of a type: those that a double holds exactly, and all of them. */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly all: readonly [bigint, bigint];
}

const INT32: Range = { least: -(2 ** 31), most: 2 ** 31 - 1, all: [-(2n ** 31n), 2n ** 31n - 1n] };
const INT64: Range = {
  least: Number.MIN_SAFE_INTEGER,
  most: Number.MAX_SAFE_INTEGER,
  all: [-(2n ** 63n), 2n ** 63n - 1n],
};
const UINT64: Range = { least: 0, most: Number.MAX_SAFE_INTEGER, all: [0n, 2n ** 64n - 1n] };
const RANGES: Readonly<Partial<Record<NumberType, Range>>> = {
  int32: INT32,
  int64: INT64,
  instant: INT64,
  uint64: UINT64,
};

/**
 * Numbers of one type, as they are written. They are told apart only at the end, all at once. Those of 64 bits come as
 * numbers or, where these do not hold them, as big integers.
 */
export class NumberValues implements Values {
  readonly isCopyable = true;
  readonly #bytes: GrowingBytes;
  readonly #range: Range | undefined;
  readonly #width: 4 | 8;

  /** @param isUnique true for values that hardly ever repeat: they are not told apart */
  constructor(
    readonly type: NumberType,
    memory: Memory,
    readonly isUnique: boolean,
  ) {
    this.#bytes = new GrowingBytes(memory);
    this.#range = RANGES[type];
    this.#width = type === "int32" || type === "float" ? 4 : 8;
  }

  /** True for numbers of two words. */
  get isWide(): boolean {
    return this.#width === 8 && this.#range !== undefined;
  }

  /** True if the type has all whole numbers from one to another. */
  holds({ least, greatest }: { readonly least: number; readonly greatest: number }): boolean {
    return this.#range === undefined || (least >= this.#range.least && greatest <= this.#range.most);
  }

  /** True for whole numbers of 64 bits, with or without a sign. */
  hasWordsOf(isSigned: boolean): boolean {
    return this.type === (isSigned ? "int64" : "uint64");
  }

  get count(): number {
    return this.#bytes.length / this.#width;
  }

  add(value: Value): boolean {
    const range = this.#range;
    if (typeof value === "number" && (range === undefined || isWholeIn(range, value))) {
      this.addNumber(value);
      return true;
    }
    const number = range === undefined ? undefined : wholeIn(range, value);
    if (typeof number === "number") this.addNumber(number);
    else if (number !== undefined) this.#addBig(number);
    return number !== undefined;
  }

  /** Adds a number that is known to be of this type. */
  addNumber(number: number): void {
    const bytes = this.#bytes;
    const at = bytes.length;
    const end = at + this.#width;
    if (end > bytes.bytes.length) bytes.reserve(this.#width);
    bytes.length = end;
    if (this.#range === undefined) {
      if (this.#width === 4) bytes.view.setFloat32(at, number, true);
      else bytes.view.setFloat64(at, number, true);
      return;
    }
    bytes.view.setInt32(at, number | 0, true);
    if (this.#width === 8) bytes.view.setInt32(at + 4, Math.floor(number / WORD), true);
  }

  /** Adds a number of 64 bits that is known to be of this type. */
  addWords(low: number, high: number): void {
    const bytes = this.#bytes;
    const at = bytes.length;
    if (at + 8 > bytes.bytes.length) bytes.reserve(8);
    bytes.length = at + 8;
    bytes.view.setInt32(at, low, true);
    bytes.view.setInt32(at + 4, high, true);
  }

  #addBig(number: bigint): void {
    const bits = BigInt.asUintN(64, number);
    this.addWords(Number(bits & LOW), Number(bits >> 32n));
  }

  put(value: Value, numbers: Float64Array, at: number): boolean {
    const range = this.#range;
    if (value instanceof Words && this.isWide) {
      numbers[at] = value.low;
      numbers[at + 1] = value.high;
      return true;
    }
    const isNumber = typeof value === "number" && (range === undefined || isWholeIn(range, value));
    const number = isNumber || range === undefined ? value : wholeIn(range, value);
    if (typeof number === "number") {
      numbers[at] = number;
      if (this.isWide) numbers[at + 1] = Math.floor(number / WORD);
      return true;
    }
    if (typeof number !== "bigint") return false;
    const bits = BigInt.asUintN(64, number);
    numbers[at] = Number(bits & LOW);
    numbers[at + 1] = Number(bits >> 32n);
    return true;
  }

  addColumn(column: Rows): void {
    const { numbers, levels, first, stride, count, level } = column;
    for (let row = 0, at = first; row < count; row++, at += stride) {
      if (levels[at] !== level) continue;
      const number = numbers[at] ?? 0;
      if (this.isWide) this.addWords(number, numbers[at + 1] ?? 0);
      else this.addNumber(number);
    }
  }

  drop(count: number): void {
    this.#bytes.length -= count * this.#width;
  }

  get size(): number {
    return this.#bytes.length;
  }

  get part(): ValuesPart {
    return { bytes: this.#bytes.taken, isExact: true };
  }

  append({ bytes }: ValuesPart): void {
    this.#bytes.append(bytes);
  }

  encoded(): Encoded {
    const bytes = this.#bytes.taken;
    const words = new Int32Array(bytes.buffer, 0, bytes.length / 4);
    const dictionary = this.isUnique ? undefined : dictionaryOf(words, this.#width / 4);
    if (dictionary === undefined) return { bytes, count: this.count, bounds: this.#boundsOf(bytes) };
    const different = new Uint8Array(dictionary.words.buffer, dictionary.words.byteOffset, dictionary.words.byteLength);
    const count = different.length / this.#width;
    return { bytes: different, count, indexes: dictionary.indexes, bounds: this.#boundsOf(different) };
  }

  clear(): void {
    this.#bytes.clear();
  }

  #boundsOf({ buffer, byteOffset, length }: Uint8Array): Bounds | undefined {
    const view = new DataView(buffer, byteOffset, length);
    if (this.#range !== undefined && this.#width === 8) return wideBounds(view, this.type === "uint64");
    let least = Number.POSITIVE_INFINITY;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = 0; at < length; at += this.#width) {
      const number = this.#read(view, at);
      if (number < least) least = number;
      if (number > most) most = number;
    }
    return least <= most ? { least, most } : undefined;
  }

  #read(view: DataView, at: number): number {
    switch (this.type) {
      case "float":
        return view.getFloat32(at, true);
      case "double":
        return view.getFloat64(at, true);
      default:
        return view.getInt32(at, true);
    }
  }
}

/** The bounds of numbers of 64 bits: those with the same upper words are compared by the lower ones. */
function wideBounds(view: DataView, isUnsigned: boolean): Bounds | undefined {
  if (view.byteLength === 0) return undefined;
  const highAt = (at: number) => (isUnsigned ? view.getUint32(at + 4, true) : view.getInt32(at + 4, true));
  let least = 0;
  let most = 0;
  let [leastHigh, leastLow] = [highAt(0), view.getUint32(0, true)];
  let [mostHigh, mostLow] = [leastHigh, leastLow];
  for (let at = 8; at < view.byteLength; at += 8) {
    const high = highAt(at);
    const low = view.getUint32(at, true);
    if (high < leastHigh || (high === leastHigh && low < leastLow)) {
      least = at;
      leastHigh = high;
      leastLow = low;
    } else if (high > mostHigh || (high === mostHigh && low > mostLow)) {
      most = at;
      mostHigh = high;
      mostLow = low;
    }
  }
  const read = (at: number) => (isUnsigned ? view.getBigUint64(at, true) : view.getBigInt64(at, true));
  return { least: read(least), most: read(most) };
}

function isWholeIn({ least, most }: Range, value: number): boolean {
  return value >= least && value <= most && Number.isInteger(value);
}

/** The whole number that a value is, if it is in range: as a number if that holds it. */
function wholeIn({ all }: Pick<Range, "all">, value: Value): number | bigint | undefined {
  if (typeof value === "boolean") return Number(value);
  if (value instanceof Words) return wholeIn({ all }, (BigInt(value.high) << 32n) | BigInt(value.low >>> 0));
  if (typeof value !== "bigint" && (typeof value !== "number" || !Number.isInteger(value))) return undefined;
  const whole = BigInt(value);
  if (whole < all[0] || whole > all[1]) return undefined;
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}
