/** Number of bytes in each number of `words`. */
export const WORD = 8;

/** How many pieces share an array; texts of more pieces than that have their own, which goes when they go. */
const SHARED = 1024;
const LONGEST_SHARED = 12;

let shared = new Float64Array(0);
let taken = 0;

/**
 * Bytes that are written over and over, such as the names of fields in JSON, in pieces of eight that are each written
 * at once (measured: a third of the time of writing single bytes). The writer needs room for whole pieces, and
 * overwrites the excess with what comes next.
 *
 * The pieces are floating-point numbers because those are the fastest to write. No UTF-8 text contains the byte 0xff,
 * and none of these texts contains 0x7f, so no piece is a NaN, whose bits would not survive. Many texts share
 * an array, because each array is another place in memory that the processor has to wait for.
 */
export class PackedBytes {
  readonly length: number;
  /** The array with the pieces, and the index of the first of them. */
  readonly words: Float64Array;
  readonly first: number;

  /** @param text JSON, or other text without the control character 0x7f */
  constructor(text: string) {
    this.length = Buffer.byteLength(text);
    const count = wordsFor(this.length);
    const isLong = count > LONGEST_SHARED;
    if (!isLong && taken + count > shared.length) {
      shared = new Float64Array(SHARED);
      taken = 0;
    }
    this.words = isLong ? new Float64Array(count) : shared;
    this.first = isLong ? 0 : taken;
    if (!isLong) taken += count;
    const padded = Buffer.alloc(count * WORD);
    padded.write(text);
    for (let index = 0; index < count; index++) this.words[this.first + index] = padded.readDoubleLE(index * WORD);
  }
}

/** The number of pieces that hold so many bytes. */
export function wordsFor(length: number): number {
  // Other than division, a shift keeps a whole number one for the compiler.
  return (length + WORD - 1) >> 3;
}
