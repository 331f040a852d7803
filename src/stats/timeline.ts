/** Most columns; with more, each two are merged into one. */
const MOST_COLUMNS = 60;
const FIRST_WIDTH = 0.001;

/**
 * Sums up events over time, in columns of equal width in seconds, which grow wider as the time that they span does: how
 * many there are, unless `merged` says what becomes of two amounts.
 */
export class Timeline {
  #width = FIRST_WIDTH;
  /** The first column begins this many columns after time 0; negative if it begins before. */
  #begin = 0;
  #columns: number[] = [];

  constructor(readonly merged: (one: number, other: number) => number = (one, other) => one + other) {}

  /** When the first column begins. */
  get begin(): number {
    return this.#begin * this.#width;
  }

  /** Seconds that a column stands for. */
  get width(): number {
    return this.#width;
  }

  /** The count of each column, from the first to the last one that is not empty. */
  get columns(): readonly number[] {
    return this.#columns;
  }

  /** @param seconds since time 0, which is that of any of the events: negative for events before it */
  add(seconds: number, amount = 1): void {
    let column = Math.floor(seconds / this.#width);
    while (this.#lengthWith(column) > MOST_COLUMNS) {
      this.#widen();
      column = Math.floor(seconds / this.#width);
    }
    for (; this.#begin > column; this.#begin--) this.#columns.unshift(0);
    while (this.#columns.length <= column - this.#begin) this.#columns.push(0);
    this.#columns[column - this.#begin] = this.merged(this.#columns[column - this.#begin] ?? 0, amount);
  }

  /** The number of columns if there is to be one at this place, too. */
  #lengthWith(column: number): number {
    return Math.max(this.#begin + this.#columns.length, column + 1) - Math.min(this.#begin, column);
  }

  #widen(): void {
    this.#width *= 2;
    const begin = Math.floor(this.#begin / 2);
    const wider: number[] = [];
    for (const [index, count] of this.#columns.entries()) {
      const column = Math.floor((this.#begin + index) / 2) - begin;
      wider[column] = this.merged(wider[column] ?? 0, count);
    }
    this.#begin = begin;
    this.#columns = wider;
  }
}
