/** How text is handed over: the size of a piece in bytes, and the most buffers that wait to be reused. */
export interface PieceSize {
  readonly bytes: number;
  readonly mostSpare: number;
  /** True for pieces that go to another thread. */
  readonly isShared?: boolean;
}

/**
 * Buffers for pieces of text. They are reused once they are written: fresh memory costs more than filling it, as the
 * system clears each page of it first.
 */
export class PieceBuffers {
  readonly #spare: ArrayBufferLike[] = [];

  constructor(readonly size: PieceSize) {}

  /** A buffer of at least this length. */
  take(length: number): Buffer {
    const { bytes, isShared } = this.size;
    const spare = length <= bytes ? this.#spare.pop() : undefined;
    if (spare !== undefined) return Buffer.from(spare);
    const most = Math.max(length, bytes);
    return isShared === true ? Buffer.from(new SharedArrayBuffer(most)) : Buffer.allocUnsafeSlow(most);
  }

  /** Takes back a buffer that is no longer in use. */
  give(buffer: ArrayBufferLike): void {
    const { bytes, mostSpare } = this.size;
    if (buffer.byteLength === bytes && this.#spare.length < mostSpare) this.#spare.push(buffer);
  }
}
