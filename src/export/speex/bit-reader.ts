/** Reads numbers of some bits each, the highest bit first. What is beyond the end is 0. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Bits that are left; none once more was skipped than there is. */
  get remaining(): number {
    return Math.max(0, 8 * this.#bytes.length - this.#at);
  }

  read(width: number): number {
    let value = 0;
    for (let end = this.#at + width; this.#at < end; this.#at++) {
      const byte = this.#bytes[this.#at >> 3] ?? 0;
      value = (value << 1) | ((byte >> (7 - (this.#at & 7))) & 1);
    }
    return value;
  }

  skip(width: number): void {
    this.#at += width;
  }
}
