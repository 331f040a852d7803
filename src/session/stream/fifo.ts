/** How many entries are taken before their room is reclaimed: not after each, because the others have to be moved. */
const MOST_TAKEN = 1024;

/** A first-in, first-out queue: taking an entry costs the same however long the queue is. */
export class Fifo<T> {
  /** The entries are those from `#start` on; the places before it are cleared. */
  #entries: (T | undefined)[] = [];
  #start = 0;

  get isEmpty(): boolean {
    return this.#start === this.#entries.length;
  }

  /** The entry that is taken next. */
  get first(): T | undefined {
    return this.#entries[this.#start];
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  /** Takes the oldest entry. */
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

  /** The entries in the queue, in order. */
  rest(): readonly T[] {
    return this.#entries.slice(this.#start).filter((entry) => entry !== undefined);
  }
}
