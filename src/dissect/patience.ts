/** Bytes that may be looked at in vain: so many, and on top of that so many times the length of what is there. */
const FREE = 4 * 1024 * 1024;
const LOOKS = 32;
/** After that, a message has to grow by one part in so many before it is looked at again. */
const PART = 16;

/**
 * How long a direction waits before it looks again at what is there of a message. Where every few bytes show only that
 * a few more are needed, as in a line without an end that comes letter by letter, looking each time would cost the
 * square of its length.
 */
export class Patience {
  /** Bytes that have to be there before it makes sense to look again. */
  needed = 0;
  #inVain = 0;

  /** Something was looked at that turned out not to be whole. */
  wait(needed: number, length: number): void {
    this.#inVain += length;
    const isOften = this.#inVain > FREE + LOOKS * length;
    this.needed = isOften ? Math.max(needed, length + Math.ceil(length / PART)) : needed;
  }

  /** What comes now is something else. */
  reset(): void {
    this.needed = 0;
    this.#inVain = 0;
  }
}
