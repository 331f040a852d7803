/** Bytes of a block: large enough that few messages leave a rest of one unused. */
const BLOCK = 1024 * 1024;

/** Bytes that are added one after the other and kept, in blocks of which none is ever moved. */
export class ByteArena {
  readonly #blocks: Uint8Array[] = [];
  #filled = BLOCK;
  #size = 0;

  /** Bytes of memory in use. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds bytes, which stay together.
   *
   * @param after what is put behind them
   * @returns where they are, to be given to `at`
   */
  add(bytes: Uint8Array, start: number, end: number, after: Uint8Array): number {
    const length = end - start;
    // One that is full has no place for nothing either: that would be the first byte of a block that there may never be.
    if (length + after.length >= BLOCK - this.#filled) this.#grow(length + after.length);
    const index = this.#blocks.length - 1;
    const block = this.#blocks[index];
    const position = this.#filled;
    // Most are short: making views for `set` would take longer.
    if (block !== undefined) for (let at = 0; at < length; at++) block[position + at] = bytes[start + at] ?? 0;
    block?.set(after, position + length);
    this.#filled = position + length + after.length;
    return index * BLOCK + position;
  }

  /** The block that has the bytes, and where they begin in it. */
  at(place: number): { readonly bytes: Uint8Array; readonly start: number } {
    const start = place % BLOCK;
    const bytes = this.#blocks[(place - start) / BLOCK];
    if (bytes === undefined) throw new RangeError(`there is no block of byte ${place}`);
    return { bytes, start };
  }

  /** Adds a block; one for bytes that would not fit into any has their length. */
  #grow(length: number): void {
    const size = Math.max(length, BLOCK);
    this.#blocks.push(new Uint8Array(size));
    this.#size += size;
    this.#filled = 0;
  }
}
