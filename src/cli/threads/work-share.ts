/** Consecutive messages that one thread prints: enough to make the cost of handing them over negligible. */
const BLOCK = 256;
/**
 * Decides which of several threads prints which messages. All of them read and decode everything, since names and
 * numbers carry over between conversations; the thread that reaches a block of messages first prints it, and so falls
 * behind the others.
 */
export class WorkShare {
  /** The number of the first block that nobody has claimed. */
  readonly #next: Int32Array<SharedArrayBuffer>;
  #block = -1;
  #isOurs = false;

  /** @param memory shared by all threads; created if not given */
  constructor(readonly memory = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#next = new Int32Array(memory);
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
      this.#isOurs = Atomics.compareExchange(this.#next, 0, block, block + 1) === block;
    }
    return this.#isOurs;
  }
}
