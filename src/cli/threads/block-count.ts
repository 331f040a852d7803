const READY = 0;
const PRINTED = 1;

/** How far a helper has come, known to the main thread at once: reports are received only between blocks of input. */
export class BlockCount {
  readonly #numbers: Int32Array<SharedArrayBuffer>;

  /** @param memory shared by the helper and the main thread; created if not given */
  constructor(readonly memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.#numbers = new Int32Array(memory);
  }

  /** True once the helper has started, and can print. */
  get isReady(): boolean {
    return Atomics.load(this.#numbers, READY) > 0;
  }

  /** The number of blocks that it has printed. */
  get printed(): number {
    return Atomics.load(this.#numbers, PRINTED);
  }

  /** For the helper: it can print from now on. */
  ready(): void {
    Atomics.store(this.#numbers, READY, 1);
  }

  /** For the helper: it has printed one more block, whose memory may be reused. */
  print(): void {
    Atomics.add(this.#numbers, PRINTED, 1);
  }
}
