/** Entries that are taken out before their room is given up: not each one, because the others have to move. */
const MOST_TAKEN = 1024;

/** A queue: what came first is taken first, at the same cost however long it is. */
export class Fifo<T> {
  /** The entries from `#start` on; what was taken out is not kept. */
  #entries: (T | undefined)[] = [];
  #start = 0;

  get isEmpty(): boolean {
    return this.#start === this.#entries.length;
  }

  /** What is taken next. */
  get first(): T | undefined {
    return this.#entries[this.#start];
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  /** Takes out what came first. */
  take(): T | undefined {
    const { first } = this;
    if (this.isEmpty) return first;
    this.#entries[this.#start] = undefined;
    this.#start++;
    if (this.isEmpty || (this.#start >= MOST_TAKEN && 2 * this.#start >= this.#entries.length)) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
    return first;
  }

  /** What is there, in order. */
  rest(): readonly T[] {
    return this.#entries.slice(this.#start).filter((entry) => entry !== undefined);
  }
}
