/**
 * Bytes that nodes refer to: the message itself (perhaps assembled from several), or what was inflated from part of it.
 */
export interface ByteSource {
  readonly kind: "message" | "assembled" | "inflated";
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset in `bytes` of the source's first byte; node offsets count from there. */
  readonly origin: number;
  length: number;
  /** True if its length was known beforehand, so that nothing in it need mark its end. */
  readonly isExact: boolean;
  /** Node from whose bytes this source was made; -1 for the message itself. */
  readonly parent: number;
}

/** Returns a view of the same bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
