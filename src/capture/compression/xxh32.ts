import { StripedSum } from "./striped-sum.js";

const PRIME_1 = 0x9e3779b1;
const PRIME_2 = 0x85ebca77;
const PRIME_3 = 0xc2b2ae3d;
const PRIME_4 = 0x27d4eb2f;
const PRIME_5 = 0x165667b1;

/** Bytes processed at a time: four 32-bit numbers. */
const STRIPE_LENGTH = 16;

/**
 * The checksum of LZ4 frames: XXH32 with seed 0, computed incrementally.
 * Source: xxHash fast digest algorithm, section "XXH32 algorithm description".
 */
export class Xxh32 extends StripedSum {
  #a = (PRIME_1 + PRIME_2) | 0;
  #b = PRIME_2 | 0;
  #c = 0;
  #d = -PRIME_1 | 0;

  constructor() {
    super(STRIPE_LENGTH);
  }

  /** The checksum of all bytes so far, unsigned. */
  digest(): number {
    let sum =
      this.length >= STRIPE_LENGTH
        ? rotate(this.#a, 1) + rotate(this.#b, 7) + rotate(this.#c, 12) + rotate(this.#d, 18)
        : PRIME_5;
    sum = (sum + this.length) | 0;
    const end = this.inStripe;
    let at = 0;
    for (; at + 4 <= end; at += 4) {
      sum = Math.imul(rotate((sum + Math.imul(lane(this.stripe, at), PRIME_3)) | 0, 17), PRIME_4);
    }
    for (; at < end; at++) {
      sum = Math.imul(rotate((sum + Math.imul(this.stripe[at] ?? 0, PRIME_5)) | 0, 11), PRIME_1);
    }
    sum = Math.imul(sum ^ (sum >>> 15), PRIME_2);
    sum = Math.imul(sum ^ (sum >>> 13), PRIME_3);
    return (sum ^ (sum >>> 16)) >>> 0;
  }

  protected override takeIn(bytes: Uint8Array, start: number, end: number): void {
    let [a, b, c, d] = [this.#a, this.#b, this.#c, this.#d];
    for (let at = start; at < end; at += STRIPE_LENGTH) {
      a = round(a, lane(bytes, at));
      b = round(b, lane(bytes, at + 4));
      c = round(c, lane(bytes, at + 8));
      d = round(d, lane(bytes, at + 12));
    }
    [this.#a, this.#b, this.#c, this.#d] = [a, b, c, d];
  }
}

function round(sum: number, input: number): number {
  return Math.imul(rotate((sum + Math.imul(input, PRIME_2)) | 0, 13), PRIME_1);
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function lane(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
}
