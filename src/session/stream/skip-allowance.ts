import type { Limits } from "../../limits.js";

/**
 * How many missing bytes the ciphers of all conversations together may be advanced over. Advancing takes as long as
 * decrypting: without a bound, a small capture that claims large gaps could take arbitrarily long.
 */
export class SkipAllowance {
  #left: number;
  readonly #forByte: number;

  constructor({ cipherSkipAnyhow, cipherSkipForByte }: Pick<Limits, "cipherSkipAnyhow" | "cipherSkipForByte">) {
    this.#left = cipherSkipAnyhow;
    this.#forByte = cipherSkipForByte;
  }

  /** Raises the allowance for bytes that were captured. */
  received(bytes: number): void {
    this.#left += bytes * this.#forByte;
  }

  /** Takes `bytes` from the allowance; false if not that much is left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false;
    this.#left -= bytes;
    return true;
  }
}
