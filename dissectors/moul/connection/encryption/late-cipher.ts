import type { Cipher } from "moul-dissect/dissector";

/** A cipher that begins only after some bytes that were sent in the clear and may not have been captured. */
export class LateCipher implements Cipher {
  readonly #cipher: Cipher;
  /** Bytes in the clear that are still to come. */
  #clear: number;

  constructor(cipher: Cipher, clear: number) {
    this.#cipher = cipher;
    this.#clear = clear;
  }

  apply(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const clear = this.#skip(end - start);
    this.#cipher.apply(bytes, start + clear, end);
  }

  advance(count: number): void {
    this.#cipher.advance(count - this.#skip(count));
  }

  /** Skips those of the next bytes that are in the clear; returns how many they are. */
  #skip(count: number): number {
    const clear = Math.min(this.#clear, count);
    this.#clear -= clear;
    return clear;
  }
}
