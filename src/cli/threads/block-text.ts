/** Text of one block that is handed over at once, in bytes. */
const PIECE = 512 * 1024;
/** Bytes of UTF-8 that one unit of a text takes at most. */
const MOST_BYTES = 3;

/** Gathers what a helper prints, and hands it over in pieces that nobody else has. */
export class BlockText {
  #buffer = Buffer.allocUnsafeSlow(PIECE);
  #filled = 0;

  constructor(readonly handOver: (bytes: Uint8Array<ArrayBuffer>) => void) {}

  write(text: string | Uint8Array): void {
    const most = typeof text === "string" ? MOST_BYTES * text.length : text.length;
    if (most > this.#buffer.length - this.#filled) this.flush();
    if (most > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(most);
    if (typeof text === "string") this.#filled += this.#buffer.write(text, this.#filled);
    else {
      this.#buffer.set(text, this.#filled);
      this.#filled += text.length;
    }
  }

  flush(): void {
    if (this.#filled > 0) this.handOver(new Uint8Array(this.#buffer.subarray(0, this.#filled)));
    this.#filled = 0;
  }
}
