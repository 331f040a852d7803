/** Messages that are printed by the same thread: enough that handing them over does not count. */
const BLOCK = 256;
/** Bytes of helpers' text that wait to be written, in all. */
const MOST_WAITING = 16 * 1024 * 1024;

/** Places in the shared memory. */
const NEXT = 0;
const WAITING = 1;

/**
 * Which of several threads prints which messages. All of them read and decode everything, since names and numbers go
 * through all conversations; who comes to a block of messages first prints it, and thereby falls back behind the
 * others.
 */
export class WorkShare {
  readonly #shared: Int32Array<SharedArrayBuffer>;
  #block = -1;
  #isOurs = false;

  /** @param memory the same for all threads; made where it is not given */
  constructor(readonly memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.#shared = new Int32Array(memory);
  }

  /** The block of the message that was claimed last, counted from 0. */
  get block(): number {
    return this.#block;
  }

  /** Whether this thread prints a message; to be asked of each one, by its number, in order. */
  claims(number: number): boolean {
    const block = Math.floor((number - 1) / BLOCK);
    if (block !== this.#block) {
      this.#block = block;
      // No thread is beyond a block that is unclaimed.
      this.#isOurs = Atomics.compareExchange(this.#shared, NEXT, block, block + 1) === block;
    }
    return this.#isOurs;
  }

  /** Waits while too much of what helpers have printed is not written, then adds to it. For helpers only. */
  hold(bytes: number): void {
    for (let waiting = this.#waiting; waiting > MOST_WAITING; waiting = this.#waiting) {
      Atomics.wait(this.#shared, WAITING, waiting);
    }
    Atomics.add(this.#shared, WAITING, bytes);
  }

  /** Something that helpers have printed is written. */
  written(bytes: number): void {
    Atomics.sub(this.#shared, WAITING, bytes);
    Atomics.notify(this.#shared, WAITING);
  }

  get #waiting(): number {
    return Atomics.load(this.#shared, WAITING);
  }
}
