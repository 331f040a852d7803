/** Most columns; with more, each two are merged into one. Even, so that every column has a partner. */
const MOST_COLUMNS = 60;
const FIRST_WIDTH = 0.001;

/** Counts events over time, in columns of equal width in seconds, which grow wider as time goes on. */
export class Timeline {
  #width = FIRST_WIDTH;
  #columns: number[] = [];

  /** Seconds that a column stands for. */
  get width(): number {
    return this.#width;
  }

  /** The count of each column, from the first to the last one that is not empty. */
  get columns(): readonly number[] {
    return this.#columns;
  }

  /** @param seconds since the beginning; negative values count as the beginning */
  add(seconds: number): void {
    while (seconds >= this.#width * MOST_COLUMNS) this.#widen();
    const column = Math.max(0, Math.floor(seconds / this.#width));
    while (this.#columns.length <= column) this.#columns.push(0);
    this.#columns[column] = (this.#columns[column] ?? 0) + 1;
  }

  #widen(): void {
    this.#width *= 2;
    const wider: number[] = [];
    for (let column = 0; column < this.#columns.length; column += 2) {
      wider.push((this.#columns[column] ?? 0) + (this.#columns[column + 1] ?? 0));
    }
    this.#columns = wider;
  }
}
