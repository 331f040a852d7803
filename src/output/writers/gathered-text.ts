import type { PieceBuffers } from "./piece-buffers.js";

/** The most bytes of UTF-8 that one UTF-16 code unit takes. */
const MOST_BYTES = 3;
const NO_BUFFER = Buffer.alloc(0);

/**
 * Gathers text and hands it over in pieces, each in a buffer of its own. Each text is encoded separately: in a string
 * of all of them, a single character outside Latin-1 would double the length.
 */
export class GatheredText {
  #buffer: Buffer = NO_BUFFER;
  #filled = 0;

  constructor(
    readonly buffers: PieceBuffers,
    readonly handOver: (bytes: Uint8Array) => void,
  ) {}

  /** True if there is nothing to hand over. */
  get isEmpty(): boolean {
    return this.#filled === 0;
  }

  /** @param text a string, or UTF-8, which is copied */
  write(text: string | Uint8Array): void {
    const most = typeof text === "string" ? MOST_BYTES * text.length : text.length;
    if (most > this.#buffer.length - this.#filled) {
      this.flush();
      this.#buffer = this.buffers.take(most);
    }
    if (typeof text === "string") this.#filled += this.#buffer.write(text, this.#filled);
    else {
      this.#buffer.set(text, this.#filled);
      this.#filled += text.length;
    }
  }

  flush(): void {
    if (this.#filled === 0) return;
    const bytes = new Uint8Array(this.#buffer.buffer, 0, this.#filled);
    this.#buffer = NO_BUFFER;
    this.#filled = 0;
    this.handOver(bytes);
  }
}
