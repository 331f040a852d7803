/** Text of one block that is handed over at once, in bytes. */
const PIECE = 512 * 1024;
/** Buffers that wait to be used again at most. */
const MOST_SPARE = 8;

/**
 * Buffers for pieces of text. They are used again once they are written: fresh memory costs more than to fill it, as
 * the system hands out each page of it empty.
 */
export class PieceBuffers {
  readonly #spare: ArrayBuffer[] = [];

  /** A buffer of at least this length. */
  take(length: number): Buffer<ArrayBuffer> {
    const spare = length <= PIECE ? this.#spare.pop() : undefined;
    return spare === undefined ? Buffer.allocUnsafeSlow(Math.max(length, PIECE)) : Buffer.from(spare);
  }

  /** Takes back a buffer that is no longer in use. */
  give(buffer: ArrayBuffer): void {
    if (buffer.byteLength === PIECE && this.#spare.length < MOST_SPARE) this.#spare.push(buffer);
  }
}
