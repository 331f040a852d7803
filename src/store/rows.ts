/** Rows of a block. */
const BLOCK = 8192;

/** A fixed number of unsigned 32-bit numbers and of doubles for each of many things. */
export class Rows {
  readonly #whole: Uint32Array[] = [];
  readonly #doubles: Float64Array[] = [];
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

  get(row: number, column: number): number {
    return this.#whole[Math.floor(row / BLOCK)]?.[(row % BLOCK) * this.wholeCount + column] ?? 0;
  }

  getDouble(row: number, column: number): number {
    return this.#doubles[Math.floor(row / BLOCK)]?.[(row % BLOCK) * this.doubleCount + column] ?? 0;
  }
}
