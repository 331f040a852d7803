const READY = 0;
const PRINTED = 1;

/** How far a worker has come, known to the main thread at once: reports are received only between blocks of input. */
export class BatchCount {
  readonly #numbers: Int32Array<SharedArrayBuffer>;

  /** @param memory shared by the worker and the main thread; created if not given */
  constructor(readonly memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.#numbers = new Int32Array(memory);
  }

  /** True once the worker has started, and can print. */
  get isReady(): boolean {
    return Atomics.load(this.#numbers, READY) > 0;
  }

  /** The number of batches that it has printed. */
  get printed(): number {
    return Atomics.load(this.#numbers, PRINTED);
  }

  /** For the worker: it can print from now on. */
  ready(): void {
    Atomics.store(this.#numbers, READY, 1);
  }

  /** For the worker: it has printed one more batch, whose memory may be reused. */
  print(): void {
    Atomics.add(this.#numbers, PRINTED, 1);
  }
}
