/** The most bytes of a helper's text that wait to be written. */
const MOST_WAITING = 16 * 1024 * 1024;

/**
 * The text of one helper that waits to be written. Each helper has its own: one that had to wait for the text of
 * others could be the one whose text has to be written before theirs.
 */
export class Backlog {
  readonly #waiting: Int32Array<SharedArrayBuffer>;

  /** @param memory shared by the helper and the main thread; created if not given */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#waiting = new Int32Array(memory);
  }

  /** Waits while too much is unwritten, then adds to it. For helpers only. */
  hold(bytes: number): void {
    for (let waiting = this.#bytes; waiting > MOST_WAITING; waiting = this.#bytes) {
      Atomics.wait(this.#waiting, 0, waiting);
    }
    Atomics.add(this.#waiting, 0, bytes);
  }

  /** Notes that some of it has been written. */
  written(bytes: number): void {
    Atomics.sub(this.#waiting, 0, bytes);
    Atomics.notify(this.#waiting, 0);
  }

  get #bytes(): number {
    return Atomics.load(this.#waiting, 0);
  }
}
