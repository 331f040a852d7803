/** Bytes that are compared at once, and the fewest that a copy stands for. */
const WORD = 4;
/** The last bytes are not compressed: all of a word can be read before them. */
const MARGIN = 15;
/** How far back a copy reaches. */
const FARTHEST = 0xffff;
/** After so many bytes without a match, more are left out between those that are looked up. */
const TRIES = 32;
const MOST_HASH_BITS = 14;
/** Up to this length, copying bytes one by one is faster. */
const SHORT = 32;
/** Literals up to this length say so in their first byte. */
const TINY = 60;
/** The longest that one copy is, and up to which it is not divided: what would be left is too short. */
const LONGEST_COPY = 64;
const UNDIVIDED = 67;

/** The kinds of elements. */
const LITERAL = 0;
const NEAR_COPY = 1;
const FAR_COPY = 2;

/**
 * Compresses as Snappy does. Unlike that of `hyparquet-writer`, it makes no object for each literal, of which a page has
 * thousands.
 */
export class Snappy {
  /** Where words were seen last, by their hashes. */
  readonly #seen = new Int32Array(1 << MOST_HASH_BITS);
  #output = new Uint8Array(0);
  #length = 0;

  /** Returns compressed bytes, which are valid until the next call. */
  compress(input: Uint8Array): Uint8Array {
    // Incompressible bytes grow by a sixth at most.
    const most = 32 + input.length + Math.ceil(input.length / 6);
    if (this.#output.length < most) this.#output = new Uint8Array(most);
    this.#length = 0;
    let size = input.length;
    for (; size > 0x7f; size >>>= 7) this.#byte((size & 0x7f) | 0x80);
    this.#byte(size);
    const rest = input.length < MARGIN ? 0 : this.#copies(input);
    if (rest < input.length) this.#literal(input, rest, input.length);
    return this.#output.subarray(0, this.#length);
  }

  /** Writes everything up to the last copy; returns where that ends. */
  #copies(input: Uint8Array): number {
    const view = new DataView(input.buffer, input.byteOffset, input.length);
    const bits = Math.min(MOST_HASH_BITS, 31 - Math.clz32(input.length));
    const shift = 32 - bits;
    const seen = this.#seen.fill(0, 0, 1 << bits);
    const end = input.length - MARGIN;
    let written = 0;
    let at = 1;
    let tries = TRIES;
    while (at <= end) {
      const word = view.getInt32(at, true);
      const hash = Math.imul(word, 0x1e35a7bd) >>> shift;
      const candidate = seen[hash] ?? 0;
      seen[hash] = at;
      if (at - candidate > FARTHEST || view.getInt32(candidate, true) !== word) {
        at += tries++ >>> 5;
        continue;
      }
      if (written < at) this.#literal(input, written, at);
      const start = at;
      const distance = at - candidate;
      at += WORD;
      while (at < end && view.getInt32(at, true) === view.getInt32(at - distance, true)) at += WORD;
      while (at < input.length && input[at] === input[at - distance]) at++;
      this.#copy(distance, at - start);
      written = at;
      tries = TRIES;
      if (at <= end) seen[Math.imul(view.getInt32(at - 1, true), 0x1e35a7bd) >>> shift] = at - 1;
    }
    return written;
  }

  #byte(byte: number): void {
    this.#output[this.#length++] = byte;
  }

  #literal(input: Uint8Array, start: number, end: number): void {
    const last = end - start - 1;
    if (last < TINY) this.#byte((last << 2) | LITERAL);
    else {
      const bytes = (39 - Math.clz32(last)) >>> 3;
      this.#byte(((TINY - 1 + bytes) << 2) | LITERAL);
      for (let at = 0; at < bytes; at++) this.#byte((last >>> (8 * at)) & 0xff);
    }
    const output = this.#output;
    let to = this.#length;
    if (last < SHORT) for (let at = start; at < end; at++) output[to++] = input[at] ?? 0;
    else output.set(input.subarray(start, end), to);
    this.#length += end - start;
  }

  #copy(distance: number, length: number): void {
    let left = length;
    for (; left > UNDIVIDED; left -= LONGEST_COPY) this.#oneCopy(distance, LONGEST_COPY);
    if (left > LONGEST_COPY) {
      this.#oneCopy(distance, LONGEST_COPY - WORD);
      left -= LONGEST_COPY - WORD;
    }
    this.#oneCopy(distance, left);
  }

  #oneCopy(distance: number, length: number): void {
    if (length < 12 && distance < 2048) {
      this.#byte(((distance >>> 8) << 5) | ((length - WORD) << 2) | NEAR_COPY);
      this.#byte(distance & 0xff);
      return;
    }
    this.#byte(((length - 1) << 2) | FAR_COPY);
    this.#byte(distance & 0xff);
    this.#byte(distance >>> 8);
  }
}
