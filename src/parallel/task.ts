import type { InternalError } from "../dissector/failure.js";
import type { Origin } from "../network/conversation.js";
import type { PieceSize } from "../output/writers/piece-buffers.js";
import type { BatchOrder } from "./batch-thread.js";

/** How the text of a batch of messages is gathered. */
export const batchPieces: PieceSize = { bytes: 512 * 1024, mostSpare: 8 };

/**
 * How it is handed over. The memory is shared, not transferred: once a program has transferred a buffer, V8 checks
 * before every access to a typed array whether its buffer is still there, which takes a tenth of the time.
 */
export const sharedPieces: PieceSize = { ...batchPieces, isShared: true };

/** What a worker begins with. */
export interface Task<Setup> {
  /** What its module has to know, as plain data. */
  readonly setup: Setup;
  /** That of the `BatchCount` of this worker. */
  readonly count: SharedArrayBuffer;
}

/** What a worker is asked to do; a batch is printed. */
export type Order =
  | BatchOrder
  | { readonly kind: "began"; readonly first: Origin }
  /** Take back memory that has been written. */
  | { readonly kind: "reuse"; readonly memory: ArrayBufferLike };

/** What a worker reports: of its batches, in their order. */
export type Report =
  | { readonly kind: "printed"; readonly bytes: Uint8Array }
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly failure: InternalError };
