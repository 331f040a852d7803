import type { Limits } from "../limits.js";

/**
 * How many missing bytes the ciphers of all conversations together may be advanced over. That takes as long as if the
 * bytes were there: without a bound, a small capture that claims large gaps could take any time.
 */
export class SkipAllowance {
  #left: number;
  readonly #forByte: number;

  constructor({ cipherSkipAnyhow, cipherSkipForByte }: Pick<Limits, "cipherSkipAnyhow" | "cipherSkipForByte">) {
    this.#left = cipherSkipAnyhow;
    this.#forByte = cipherSkipForByte;
  }

  /** Bytes were captured, which allows for more. */
  came(bytes: number): void {
    this.#left += bytes * this.#forByte;
  }

  /** Takes some off; false if there is not so much left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}
