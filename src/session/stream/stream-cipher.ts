import type { Cipher } from "../../dissector/dissector.js";
import { expectNoPromise } from "../../dissector/promise-check.js";
import type { SkipAllowance } from "./skip-allowance.js";

/** A cipher that is applied to a direction, and advanced over the bytes missing in it. */
export class StreamCipher {
  /** How many missing bytes it was advanced over. */
  #skipped = 0;
  /** Its current offset in the stream. */
  #offset: number;

  /**
   * @param offset in the stream, gaps counted, of the first byte that it deciphers
   * @param mostSkipped how many missing bytes of this direction it may be advanced over
   * @param allowance the same for all directions together
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
   * Decrypts the bytes from `start` to `end`, at least one, which are at `offset` in the stream.
   *
   * @returns why it cannot: too many bytes are missing in this direction, or in all directions together
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
    // Only now that there are bytes after the gap: most gaps have none.
    if (missing > 0) {
      if (!this.allowance.take(missing)) return "gaps of all too long";
      expectNoPromise(this.cipher.advance(missing), "a cipher's advance()");
    }
    expectNoPromise(this.cipher.apply(bytes, start, end), "a cipher's apply()");
    this.#offset = offset + (end - start);
    return undefined;
  }
}
