/**
 * Copies the text of a leaf, as one byte a character, to a place in `target`, which has room for as many bytes as the
 * leaf has.
 *
 * @returns the number of characters; -1 if not all of them are ASCII
 */
export type CopyAscii = (bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number) => number;

/**
 * A leaf whose own bytes say how long it is, such as a string behind its count. A protocol brings its own codecs for
 * leaves that no other protocol has.
 */
export interface Codec<V> {
  /**
   * Length in bytes of the leaf at `start`, counted lengths included: 0 only at `limit`. If `limit` comes too early to tell,
   * or before the end of the leaf, the answer is the least number of bytes that is needed (more than there are), as a
   * negative number.
   */
  measure(view: DataView, start: number, limit: number): number;
  /** The value of a leaf that `measure` found whole. */
  read(bytes: Uint8Array, start: number, end: number): V;
  /** What is odd about a leaf with so many bytes, though it can be read. */
  remark?(length: number): string | undefined;
  /**
   * True if all values are whole numbers, as those of variable length are: then later fields can look at them, as a
   * length, as a count, in a condition or in a choice.
   */
  readonly isWholeNumber?: boolean;
  /** For texts: a fast path for those that are all ASCII. */
  readonly copyAscii?: CopyAscii;
  /** The bytes of a value as the usual writer makes them. Throws a `RangeError` for a value that has no such form. */
  write(value: V): Uint8Array;
}
