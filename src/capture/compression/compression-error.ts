/** Damaged or unsupported compressed data; the message completes a sentence such as "the gzip data". */
export class CompressionError extends Error {
  override readonly name = "CompressionError";
}
