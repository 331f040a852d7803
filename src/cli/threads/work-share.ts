/** Consecutive messages that one thread prints: enough to make the cost of handing them over negligible. */
const BLOCK = 256;
/** The most bytes of helpers' text that wait to be written, in total. */
const MOST_WAITING = 16 * 1024 * 1024;

/** Indices into the shared memory. */
const NEXT = 0;
const WAITING = 1;

/**
 * Decides which of several threads prints which messages. All of them read and decode everything, since names and
 * numbers carry over between conversations; the thread that reaches a block of messages first prints it, and so falls
 * behind the others.
 */
export class WorkShare {
  readonly #shared: Int32Array<SharedArrayBuffer>;
  #block = -1;
  #isOurs = false;

  /** @param memory shared by all threads; created if not given */
  constructor(readonly memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.#shared = new Int32Array(memory);
  }

  /** The block of the message that was claimed last, counted from 0. */
  get block(): number {
    return this.#block;
  }

  /** True if this thread prints a message. Must be called with the number of each one, in order. */
  claims(number: number): boolean {
    const block = Math.floor((number - 1) / BLOCK);
    if (block !== this.#block) {
      this.#block = block;
      // No thread is past a block that is unclaimed.
      this.#isOurs = Atomics.compareExchange(this.#shared, NEXT, block, block + 1) === block;
    }
    return this.#isOurs;
  }

  /** Waits while too much of what helpers have printed is unwritten, then adds to it. For helpers only. */
  hold(bytes: number): void {
    for (let waiting = this.#waiting; waiting > MOST_WAITING; waiting = this.#waiting) {
      Atomics.wait(this.#shared, WAITING, waiting);
    }
    Atomics.add(this.#shared, WAITING, bytes);
  }

  /** Notes that output of helpers has been written. */
  written(bytes: number): void {
    Atomics.sub(this.#shared, WAITING, bytes);
    Atomics.notify(this.#shared, WAITING);
  }

  get #waiting(): number {
    return Atomics.load(this.#shared, WAITING);
  }
}
