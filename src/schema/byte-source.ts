/**
 * Bytes that nodes refer to: the message itself (perhaps assembled from several), or what was inflated from a part of
 * it.
 */
export interface ByteSource {
  readonly kind: "message" | "assembled" | "inflated";
  readonly bytes: Uint8Array;
  readonly view: DataView;
  /** Offset in `bytes` of the source's first byte; node offsets count from it. */
  readonly origin: number;
  length: number;
  /** True if its length was told: nothing in it need show where it ends. */
  readonly isExact: boolean;
  /** Node whose bytes this source was made of; -1 for the message itself. */
  readonly parent: number;
}

/** A view of the same bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
