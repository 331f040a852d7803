/** Values that are alike and follow each other are one run from this many on. */
const GROUP = 8;
/** The most bytes of the length of a run: 7 bits each. */
const LENGTH_BYTES = 5;

/**
 * Writes numbers as Parquet's hybrid of run lengths and packed bits: levels, and indexes into a dictionary. The same bytes
 * as `hyparquet-writer` makes, which takes a call for each byte.
 *
 * Source: the encoding RLE, Parquet's Encodings.md.
 */
export class HybridRuns {
  #bytes = new Uint8Array(1024);
  #length = 0;

  /** What was written since the last `clear`, valid until the next one. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** @param width number of bits of each value, at most 24 */
  write(values: Uint8Array | Int32Array, width: number): void {
    const { length } = values;
    const groups = Math.ceil(length / GROUP);
    // No run is shorter than a group, and each begins with its length.
    this.#reserve((groups + 1) * (width + LENGTH_BYTES));
    let packedFrom = 0;
    let at = 0;
    while (at < length) {
      const value = values[at] ?? 0;
      let end = at + 1;
      while (end < length && values[end] === value) end++;
      if (end - at < GROUP) at += GROUP;
      else {
        this.#pack(values, packedFrom, at, width);
        this.#repeat(value, end - at, width);
        at = end;
        packedFrom = end;
      }
    }
    this.#pack(values, packedFrom, at, width);
  }

  /** Writes a number of zeros. */
  zeros(count: number, width: number): void {
    this.#reserve(width + LENGTH_BYTES);
    this.#repeat(0, count, width);
  }

  #repeat(value: number, count: number, width: number): void {
    this.#runLength(count << 1);
    for (let bits = 0; bits < width; bits += 8) this.#bytes[this.#length++] = value >> bits;
  }

  /** Writes the values from `start` up to `end`, in whole groups; those beyond the last value are 0. */
  #pack(values: Uint8Array | Int32Array, start: number, end: number, width: number): void {
    if (start === end) return;
    this.#runLength((((end - start) / GROUP) << 1) | 1);
    const bytes = this.#bytes;
    const packed = this.#length + ((end - start) / GROUP) * width;
    const last = Math.min(end, values.length);
    let length = this.#length;
    let bits = 0;
    let count = 0;
    for (let at = start; at < last; at++) {
      bits |= (values[at] ?? 0) << count;
      for (count += width; count >= 8; count -= 8) {
        bytes[length++] = bits;
        bits >>>= 8;
      }
    }
    for (; length < packed; bits >>>= 8) bytes[length++] = bits;
    this.#length = packed;
  }

  #runLength(length: number): void {
    let rest = length;
    for (; rest > 0x7f; rest >>>= 7) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}
