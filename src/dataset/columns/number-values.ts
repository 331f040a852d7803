import type { ScalarType } from "../../schema/columns/column-type.js";
import type { Value } from "../table.js";
import { EncodedValues } from "./encoded-values.js";
import type { Memory } from "./growing.js";
import type { Encoded, Values } from "./values.js";

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
  #last: number | bigint = Number.NaN;
  #lastIndex = -1;
  #least: number | bigint = Number.POSITIVE_INFINITY;
  #most: number | bigint = Number.NEGATIVE_INFINITY;

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
    if (number === undefined) return false;
    this.#add(number);
    return true;
  }

  #add(number: number | bigint): void {
    // 0 and -0 are not the same.
    if (number === this.#last && this.#values.isDistinct && number !== 0) {
      this.#values.repeat(this.#lastIndex);
      return;
    }
    if (number < this.#least) this.#least = number;
    if (number > this.#most) this.#most = number;
    const { bytes } = this.#values;
    bytes.reserve(this.#width);
    this.#write(number, bytes.view, bytes.length);
    this.#values.add(bytes.length + this.#width);
    this.#last = number;
    this.#lastIndex = this.#values.lastIndex;
  }

  drop(count: number): void {
    this.#values.drop(count, (value) => value * this.#width);
  }

  encoded(): Encoded {
    const encoded = this.#values.encoded();
    const isKnown = this.#values.isExact && this.#least <= this.#most;
    return isKnown ? { ...encoded, bounds: { least: this.#least, most: this.#most } } : encoded;
  }

  clear(): void {
    this.#values.clear();
    this.#last = Number.NaN;
    this.#lastIndex = -1;
    this.#least = Number.POSITIVE_INFINITY;
    this.#most = Number.NEGATIVE_INFINITY;
  }

  #write(number: number | bigint, view: DataView, at: number): void {
    if (typeof number === "bigint") view.setBigInt64(at, BigInt.asIntN(64, number), true);
    else if (this.type === "float") view.setFloat32(at, number, true);
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
