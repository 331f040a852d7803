import type { Cipher } from "./dissector.js";
import type { SkipAllowance } from "./skip-allowance.js";

/** A cipher that is laid over a direction, and taken across what is missing of it. */
export class StreamCipher {
  /** Missing bytes that it was taken across. */
  #skipped = 0;
  /** Offset in the stream that it stands at. */
  #offset: number;

  /**
   * @param offset in the stream, gaps counted, of the first byte that it deciphers
   * @param mostSkipped missing bytes of this direction that it may be taken across
   * @param allowance those of all directions together
   */
  constructor(
    readonly cipher: Cipher,
    offset: number,
    readonly mostSkipped: number,
    readonly allowance: SkipAllowance,
  ) {
    this.#offset = offset;
  }

  /**
   * Decrypts the bytes from `start` to `end`, which stand at `offset` in the stream and of which there is at least one.
   *
   * @returns what keeps it from that: too many bytes are missing before them, or of all directions together
   */
  apply(
    bytes: Uint8Array,
    start: number,
    end: number,
    offset: number,
  ): "gaps too long" | "gaps of all too long" | undefined {
    const missing = offset - this.#offset;
    this.#skipped += missing;
    if (this.#skipped > this.mostSkipped) return "gaps too long";
    // Only now that there are bytes behind the gap: most gaps have none.
    if (missing > 0) {
      if (!this.allowance.take(missing)) return "gaps of all too long";
      this.cipher.advance(missing);
    }
    this.cipher.apply(bytes, start, end);
    this.#offset = offset + (end - start);
    return undefined;
  }
}
