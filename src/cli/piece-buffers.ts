/** How text is handed over: pieces of this many bytes, and at most so many buffers that wait to be used again. */
export interface PieceSize {
  readonly bytes: number;
  readonly mostSpare: number;
}

/**
 * Buffers for pieces of text. They are used again once they are written: fresh memory costs more than to fill it, as
 * the system hands out each page of it empty.
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
