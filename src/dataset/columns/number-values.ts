import type { ScalarType } from "../../schema/columns/column-type.js";
import type { Value } from "../table.js";
import { EncodedValues } from "./encoded-values.js";
import type { Memory } from "./growing.js";
import type { Bounds, Encoded, Values } from "./values.js";

type NumberType = Exclude<ScalarType, "boolean" | "text" | "bytes" | "json">;

const WORD = 2 ** 32;

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

/** Numbers of one type. Those of 64 bits come as numbers or, where these do not hold them, as big integers. */
export class NumberValues implements Values {
  readonly #values: EncodedValues;
  readonly #range: Range | undefined;
  readonly #width: number;
  /** The number that came last, and which of the different ones it is. */
  #last = Number.NaN;
  #lastIndex = -1;
  #least = Number.POSITIVE_INFINITY;
  #most = Number.NEGATIVE_INFINITY;
  /** Those of big integers, which are kept apart: numbers alone are compared much faster. */
  #bigBounds: readonly [bigint, bigint] | undefined;

  constructor(
    readonly type: NumberType,
    memory: Memory,
    isUnique: boolean,
  ) {
    this.#values = new EncodedValues(memory, isUnique);
    this.#range = RANGES[type];
    this.#width = type === "int32" || type === "float" ? 4 : 8;
  }

  get count(): number {
    return this.#values.count;
  }

  add(value: Value): boolean {
    const range = this.#range;
    if (typeof value === "number" && (range === undefined || isWholeIn(range, value))) {
      this.#add(value);
      return true;
    }
    const number = range === undefined ? undefined : wholeIn(range, value);
    if (typeof number === "number") this.#add(number);
    else if (number !== undefined) this.#addBig(number);
    return number !== undefined;
  }

  #add(number: number): void {
    const values = this.#values;
    // 0 and -0 are not the same.
    if (number === this.#last && values.isDistinct && number !== 0) {
      values.repeat(this.#lastIndex);
      return;
    }
    if (number < this.#least) this.#least = number;
    if (number > this.#most) this.#most = number;
    const { bytes } = values;
    bytes.reserve(this.#width);
    this.#write(number, bytes.view, bytes.length);
    values.add(bytes.length + this.#width);
    this.#last = number;
    this.#lastIndex = values.lastIndex;
  }

  #addBig(number: bigint): void {
    const [least, most] = this.#bigBounds ?? [number, number];
    this.#bigBounds = [number < least ? number : least, number > most ? number : most];
    const { bytes } = this.#values;
    bytes.reserve(this.#width);
    bytes.view.setBigInt64(bytes.length, BigInt.asIntN(64, number), true);
    this.#values.add(bytes.length + this.#width);
    this.#last = Number.NaN;
  }

  drop(count: number): void {
    this.#values.drop(count, (value) => value * this.#width);
  }

  encoded(): Encoded {
    return { ...this.#values.encoded(), bounds: this.#values.isExact ? this.#bounds() : undefined };
  }

  clear(): void {
    this.#values.clear();
    this.#last = Number.NaN;
    this.#lastIndex = -1;
    this.#least = Number.POSITIVE_INFINITY;
    this.#most = Number.NEGATIVE_INFINITY;
    this.#bigBounds = undefined;
  }

  #bounds(): Bounds | undefined {
    const [least, most] = [this.#least, this.#most];
    if (this.#bigBounds === undefined) return least <= most ? { least, most } : undefined;
    const [leastBig, mostBig] = this.#bigBounds;
    return { least: least < leastBig ? least : leastBig, most: most > mostBig ? most : mostBig };
  }

  #write(number: number, view: DataView, at: number): void {
    if (this.type === "float") view.setFloat32(at, number, true);
    else if (this.type === "double") view.setFloat64(at, number, true);
    else {
      view.setInt32(at, number | 0, true);
      if (this.#width === 8) view.setInt32(at + 4, Math.floor(number / WORD), true);
    }
  }
}

function isWholeIn({ least, most }: Range, value: number): boolean {
  return value >= least && value <= most && Number.isInteger(value);
}

/** The whole number that a value is, if it is in range: as a number if that holds it. */
function wholeIn({ all }: Range, value: Value): number | bigint | undefined {
  if (typeof value === "boolean") return Number(value);
  if (typeof value !== "bigint" && (typeof value !== "number" || !Number.isInteger(value))) return undefined;
  const whole = BigInt(value);
  if (whole < all[0] || whole > all[1]) return undefined;
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}
