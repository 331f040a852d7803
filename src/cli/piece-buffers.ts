/** How text is handed over: the size of a piece in bytes, and the most buffers that wait to be reused. */
export interface PieceSize {
  readonly bytes: number;
  readonly mostSpare: number;
}

/**
 * Buffers for pieces of text. They are reused once they are written: fresh memory costs more than filling it, as the
 * system clears each page of it first.
 */
export class PieceBuffers {
  readonly #spare: ArrayBuffer[] = [];

  constructor(readonly size: PieceSize) {}

  /** A buffer of at least this length. */
  take(length: number): Buffer<ArrayBuffer> {
    const { bytes } = this.size;
    const spare = length <= bytes ? this.#spare.pop() : undefined;
    return spare === undefined ? Buffer.allocUnsafeSlow(Math.max(length, bytes)) : Buffer.from(spare);
  }

  /** Takes back a buffer that is no longer in use. */
  give(buffer: ArrayBuffer): void {
    const { bytes, mostSpare } = this.size;
    if (buffer.byteLength === bytes && this.#spare.length < mostSpare) this.#spare.push(buffer);
  }
}
