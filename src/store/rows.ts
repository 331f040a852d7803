/** Rows of a block. */
const BLOCK = 8192;

/** Stands for a number that is kept elsewhere, as it has no place in 32 bits. */
const ELSEWHERE = 0xffffffff;

/** A fixed number of unsigned 32-bit numbers and of doubles for each of many things. */
export class Rows {
  readonly #whole: Uint32Array[] = [];
  readonly #doubles: Float64Array[] = [];
  /** Numbers that have no place in 32 bits, by row and column. */
  readonly #elsewhere = new Map<number, number>();
  #count = 0;

  /**
   * @param wholeCount how many unsigned 32-bit numbers a row has
   * @param doubleCount how many doubles
   */
  constructor(
    readonly wholeCount: number,
    readonly doubleCount: number,
  ) {}

  get count(): number {
    return this.#count;
  }

  /** Adds a row of zeros. @returns its index */
  add(): number {
    const row = this.#count++;
    if (row % BLOCK === 0) {
      this.#whole.push(new Uint32Array(BLOCK * this.wholeCount));
      this.#doubles.push(new Float64Array(BLOCK * this.doubleCount));
    }
    return row;
  }

  set(row: number, column: number, value: number): void {
    const block = this.#whole[Math.floor(row / BLOCK)];
    if (block !== undefined) block[(row % BLOCK) * this.wholeCount + column] = value;
  }

  setDouble(row: number, column: number, value: number): void {
    const block = this.#doubles[Math.floor(row / BLOCK)];
    if (block !== undefined) block[(row % BLOCK) * this.doubleCount + column] = value;
  }

  /** Sets a number that hardly ever has no place in 32 bits. */
  setAny(row: number, column: number, value: number): void {
    const fits = value >>> 0 === value && value !== ELSEWHERE;
    if (!fits) this.#elsewhere.set(row * this.wholeCount + column, value);
    this.set(row, column, fits ? value : ELSEWHERE);
  }

  /** A number that was set by `setAny`. */
  getAny(row: number, column: number): number {
    const value = this.get(row, column);
    return value === ELSEWHERE ? (this.#elsewhere.get(row * this.wholeCount + column) ?? value) : value;
  }

  get(row: number, column: number): number {
    return this.#whole[Math.floor(row / BLOCK)]?.[(row % BLOCK) * this.wholeCount + column] ?? 0;
  }

  getDouble(row: number, column: number): number {
    return this.#doubles[Math.floor(row / BLOCK)]?.[(row % BLOCK) * this.doubleCount + column] ?? 0;
  }
}
