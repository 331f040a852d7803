/** Bytes that may be examined in vain: this many, plus this many times the number of bytes available. */
const FREE = 4 * 1024 * 1024;
const LOOKS = 32;
/** Beyond that, a message has to grow by one part in this many before it is examined again. */
const PART = 16;

/**
 * Decides how long a direction waits before it examines a certain incomplete message again. If every few bytes show
 * only that a few more are needed, as with an endless line that arrives letter by letter, looking each time would cost
 * the square of its length.
 */
export class RetryThreshold {
  /** Number of bytes that have to be available before it makes sense to look again. */
  needed = 0;
  #inVain = 0;

  /** Notes that a message was examined and turned out to be incomplete. */
  wait(needed: number, length: number): void {
    this.#inVain += length;
    const isOften = this.#inVain > FREE + LOOKS * length;
    this.needed = isOften ? Math.max(needed, length + Math.ceil(length / PART)) : needed;
  }
}
