/** The prime is 2^40 + 435, so a product is a shift and a small multiplication. */
const PRIME_LOW = 435;
const OFFSET_HIGH = 0xcbf29ce4 | 0;
const OFFSET_LOW = 0x84222325 | 0;

/**
 * FNV-1a of 64 bits (draft-eastlake-fnv), which needs no allocation; one object serves for many runs. Not for data whose
 * author gains by a collision.
 */
export class Fnv1a {
  /** The hash, the upper half first. */
  readonly digest = new Uint8Array(8);
  readonly #view = new DataView(this.digest.buffer);

  /** Hashes the bytes from `start` up to `end` into `digest`. */
  hash(bytes: Uint8Array, start: number, end: number): void {
    let high = OFFSET_HIGH;
    let low = OFFSET_LOW;
    for (let at = start; at < end; at++) {
      low ^= bytes[at] ?? 0;
      // Exact: less than 2^41. Faster than products of halves.
      const carry = (((low >>> 0) * PRIME_LOW) / 0x1_0000_0000) | 0;
      high = (Math.imul(high, PRIME_LOW) + ((carry + (low << 8)) | 0)) | 0;
      low = Math.imul(low, PRIME_LOW);
    }
    this.#view.setInt32(0, high);
    this.#view.setInt32(4, low);
  }
}
