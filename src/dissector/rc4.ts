/** How many ciphers share a block of memory: on its own, each would take as much again for its buffer. */
const SHARING = 16;

let block = new Uint8Array(0);
let taken = 0;

function newPermutation(): Uint8Array {
  if (taken === block.length) {
    block = new Uint8Array(SHARING * 256);
    taken = 0;
  }
  taken += 256;
  return block.subarray(taken - 256, taken);
}

/**
 * The RC4 stream cipher. Encryption and decryption are the same operation, and the state carries over between calls, so
 * a stream can be processed in pieces of any size. Each direction of a connection needs its own instance.
 *
 * Source of the algorithm: test vectors and description in RFC 6229.
 */
export class Rc4 {
  // A single element kind (bytes) keeps the loops below monomorphic, which accounts for most of their speed.
  readonly #permutation = newPermutation();
  #i = 0;
  #j = 0;

  /** `key` has 1 to 256 bytes and is not kept. Throws a RangeError for any other length. */
  constructor(key: Uint8Array) {
    this.restart(key);
  }

  /** Starts over with a key, as a new cipher does. */
  restart(key: Uint8Array): void {
    if (key.length < 1 || key.length > 256) throw new RangeError(`an RC4 key has 1 to 256 bytes, not ${key.length}`);
    const permutation = this.#permutation;
    for (let i = 0; i < 256; i++) permutation[i] = i;
    let j = 0;
    for (let i = 0; i < 256; i++) {
      const a = permutation[i] ?? 0;
      j = (j + a + (key[i % key.length] ?? 0)) & 255;
      permutation[i] = permutation[j] ?? 0;
      permutation[j] = a;
    }
    this.#i = 0;
    this.#j = 0;
  }

  /** Encrypts or decrypts `bytes` from offset `start` up to `end` (exclusive) in place. Allocates nothing. */
  apply(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const permutation = this.#permutation;
    let i = this.#i;
    let j = this.#j;
    let offset = start;
    // Two at a time take a seventh less time: the processor need not wait for the writing of one to read the next one.
    for (; offset < end - 1; offset += 2) {
      i = (i + 1) & 255;
      let a = permutation[i] ?? 0;
      j = (j + a) & 255;
      let b = permutation[j] ?? 0;
      permutation[i] = b;
      permutation[j] = a;
      const key = permutation[(a + b) & 255] ?? 0;
      i = (i + 1) & 255;
      a = permutation[i] ?? 0;
      j = (j + a) & 255;
      b = permutation[j] ?? 0;
      permutation[i] = b;
      permutation[j] = a;
      bytes[offset] = (bytes[offset] ?? 0) ^ key;
      bytes[offset + 1] = (bytes[offset + 1] ?? 0) ^ (permutation[(a + b) & 255] ?? 0);
    }
    if (offset < end) {
      i = (i + 1) & 255;
      const a = permutation[i] ?? 0;
      j = (j + a) & 255;
      const b = permutation[j] ?? 0;
      permutation[i] = b;
      permutation[j] = a;
      bytes[offset] = (bytes[offset] ?? 0) ^ (permutation[(a + b) & 255] ?? 0);
    }
    this.#i = i;
    this.#j = j;
  }

  /** Advances the key stream by `count` bytes without output, as across a gap of known length in a capture. */
  advance(count: number): void {
    const permutation = this.#permutation;
    let i = this.#i;
    let j = this.#j;
    for (let left = count; left > 0; left--) {
      i = (i + 1) & 255;
      const a = permutation[i] ?? 0;
      j = (j + a) & 255;
      permutation[i] = permutation[j] ?? 0;
      permutation[j] = a;
    }
    this.#i = i;
    this.#j = j;
  }
}
