const SMALLEST_CAPACITY = 4096;

/**
 * Collects the pieces of something that spans several chunks. Memory grows with what arrived, not with what is claimed.
 */
export class Gatherer {
  #bytes = new Uint8Array(SMALLEST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The collected bytes; valid until the next `append` or `clear`. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Appends a copy of `bytes[start]` up to `bytes[end - 1]`. */
  append(bytes: Uint8Array, start: number, end: number): void {
    const length = this.#length + end - start;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes.subarray(start, end), this.#length);
    this.#length = length;
  }

  clear(): void {
    this.#length = 0;
  }
}
