import type { Opcode } from "./opcode.js";

/**
 * Copies the text of a leaf, one byte per character, to `target` from offset `at` on, where there is room for as many
 * bytes as the leaf has.
 *
 * @returns the number of characters; -1 if not all of them are ASCII
 */
export type CopyAscii = (bytes: Uint8Array, start: number, end: number, target: Uint8Array, at: number) => number;

/** A codec as data, for decoders in other languages: which of the forms they know it is, and with what parts. */
export interface CodecPlan {
  readonly form: string;
  /** For a leaf after its own length: the type of that length. */
  readonly length?: PlannedLength;
  readonly parts?: { readonly [part: string]: string | number | boolean };
}

/** The type of a length in front of a leaf. */
export interface PlannedLength {
  readonly opcode: Opcode;
  readonly kind: string;
  readonly width: number;
  readonly codec?: { readonly plan?: CodecPlan };
}

/**
 * Reads and writes a leaf whose own bytes say how long it is. Those of `prefixed` and `terminated` come with the
 * language; a protocol brings its own codecs for leaves that no other protocol has.
 */
export interface Codec<V> {
  /**
   * Returns the length in bytes of the leaf at `start`, including its count. If the leaf, or the part that gives its
   * length, goes past `limit`, returns the least number of bytes needed (more than available), negated. At `limit`, 0
   * means a leaf that is there and empty, not that bytes are missing.
   */
  measure(view: DataView, start: number, limit: number): number;
  /**
   * Returns the value of a leaf that `measure` found to be complete. It must not throw: if the bytes break the format,
   * it returns some value, and `problem` says so.
   */
  read(bytes: Uint8Array, start: number, end: number): V;
  /**
   * Says how the bytes of a complete leaf break the format, as words that follow its name (`"is not a number"`);
   * undefined if they do not. The message is then malformed. As it is known where the leaf ends, decoding goes on after
   * it, unless that makes no sense: if the value is a tag, or other fields depend on it, the rest of the region is not
   * dissected.
   */
  problem?(bytes: Uint8Array, start: number, end: number): string | undefined;
  /** Says what is odd about a leaf of this many bytes, which begins at `start`, although it can be read. */
  remark?(length: number, bytes: Uint8Array, start: number): string | undefined;
  /**
   * True if all values are whole numbers, such as integers of variable length. Later fields can then use them as a
   * length or a count, in a condition or in a choice.
   */
  readonly isWholeNumber?: boolean;
  /** What `read` returns: in JSON, bytes and bigints are texts as well. Without it, nobody knows before reading. */
  readonly yields?: "text" | "number";
  /** For texts: a fast path for those that are pure ASCII. */
  readonly copyAscii?: CopyAscii;
  /** The same as data, for decoders in other languages, such as that of Wireshark's plugin. */
  readonly plan?: CodecPlan;
  /** Returns the bytes of a value as the usual writer makes them. Throws a `RangeError` for a value that has none. */
  write(value: V): Uint8Array;
}
