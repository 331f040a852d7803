/**
 * Decompresses the bytes of a file; holds no more than what one piece of input unpacks to.
 *
 * @throws CompressionError from the iterator if something is wrong with them
 */
export type Decompress = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

/** What decompresses a file. That for LZ4 is the same everywhere. */
export interface Decompressors {
  /** For gzip, with any number of members. */
  readonly gzip: Decompress;
  /** For Zstandard, with any number of frames. */
  readonly zstandard: Decompress;
}
