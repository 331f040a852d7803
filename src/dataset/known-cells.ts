import type { RowBatch } from "./columns/row-batch.js";

/** What an earlier row has in some columns next to each other, for rows that have the same there. */
export class KnownCells {
  /** The group of rows that it was in. */
  #group: object | undefined;
  #numbers = new Float64Array(0);
  #levels = new Uint8Array(0);

  /**
   * @param first the first of the columns
   * @param end the one after the last
   */
  constructor(
    readonly first: number,
    readonly end: number,
  ) {}

  /** True for rows of the same group. */
  isOf(group: object): boolean {
    return this.#group === group;
  }

  /** Takes them from a batch, from one place to another. */
  take({ numbers, levels }: RowBatch, from: number, to: number, group: object): void {
    this.#group = group;
    this.#numbers = numbers.slice(from, to);
    this.#levels = levels.slice(from, to);
  }

  /** Puts them into a batch. */
  put({ numbers, levels }: RowBatch, from: number): void {
    const [own, ownLevels] = [this.#numbers, this.#levels];
    for (let at = 0; at < own.length; at++) {
      numbers[from + at] = own[at] ?? 0;
      levels[from + at] = ownLevels[at] ?? 0;
    }
  }
}
