/** Most values kept as they are; beyond that, only the number of values in each of many narrow ranges is kept. */
const MOST_EXACT = 1000;
/** The end of each range is this many times its beginning, so that the value it stands for is off by 1 % at most. */
const RATIO = 1.02;
/** Values outside these limits count as the nearest limit, which bounds the number of ranges. */
const LEAST = 1e-6;
const MOST = 1e12;

/** Quantiles of any number of non-negative values, in bounded memory: exact for few values, within 1 % for many. */
export class Quantiles {
  #exact: number[] | undefined = [];
  #isSorted = true;
  readonly #ranges = new Map<number, number>();
  #count = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;

  get count(): number {
    return this.#count;
  }

  get min(): number {
    return this.#min;
  }

  get max(): number {
    return this.#max;
  }

  add(value: number): void {
    this.#count++;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
    if (this.#exact === undefined) {
      this.#addToRange(value);
      return;
    }
    this.#exact.push(value);
    this.#isSorted = false;
    if (this.#exact.length <= MOST_EXACT) return;
    for (const kept of this.#exact) this.#addToRange(kept);
    this.#exact = undefined;
  }

  /** The least value that at least this share of all values (0 to 1) does not exceed; NaN if there are none. */
  at(share: number): number {
    if (this.#count === 0) return Number.NaN;
    const rank = Math.max(1, Math.ceil(share * this.#count));
    if (this.#exact !== undefined) {
      if (!this.#isSorted) this.#exact.sort((a, b) => a - b);
      this.#isSorted = true;
      return this.#exact[rank - 1] ?? this.#max;
    }
    if (rank >= this.#count) return this.#max;
    let passed = 0;
    for (const [range, count] of [...this.#ranges].sort(([a], [b]) => a - b)) {
      passed += count;
      if (passed >= rank) return Math.min(this.#max, Math.max(this.#min, RATIO ** (range + 0.5)));
    }
    return this.#max;
  }

  /** How many values are at least this: exact for few; for many, those within 2 % below it may count, too. */
  countFrom(least: number): number {
    if (this.#exact !== undefined) return this.#exact.filter((value) => value >= least).length;
    const first = rangeOf(least);
    let count = 0;
    for (const [range, values] of this.#ranges) if (range >= first) count += values;
    return count;
  }

  #addToRange(value: number): void {
    const range = rangeOf(value);
    this.#ranges.set(range, (this.#ranges.get(range) ?? 0) + 1);
  }
}

/** Number of the range that a value is in. */
function rangeOf(value: number): number {
  return Math.floor(Math.log(Math.min(MOST, Math.max(LEAST, value))) / Math.log(RATIO));
}
