import type { InternalError, Origin } from "../../index.js";
import type { DisplayOptions } from "../message-display.js";
import type { RunFiles } from "../run/dissect-options.js";
import type { CaptureRunOptions } from "../run/options.js";
import type { PieceSize } from "../writing/piece-buffers.js";
import type { Block, DatedChange } from "./block.js";

/** How the text of a block of messages is gathered. */
export const blockPieces: PieceSize = { bytes: 512 * 1024, mostSpare: 8 };

/**
 * How it is handed over. The memory is shared, not transferred: once a program has transferred a buffer, V8 checks
 * before every access to a typed array whether its buffer is still there, which takes a tenth of the time.
 */
export const sharedPieces: PieceSize = { ...blockPieces, isShared: true };

/** The options that a helper needs. */
interface SharedOptions extends CaptureRunOptions, DisplayOptions {}

/** What a helper has to know before it begins. */
export interface Task {
  readonly options: SharedOptions;
  readonly files: RunFiles;
  /** That of the `BlockCount` of this helper. */
  readonly count: SharedArrayBuffer;
}

/** What a helper is asked to do. */
export type Order =
  | { readonly kind: "began"; readonly first: Origin }
  | { readonly kind: "print"; readonly block: Block }
  | { readonly kind: "learn"; readonly changes: readonly DatedChange[] }
  /** Take back memory that has been written. */
  | { readonly kind: "reuse"; readonly memory: ArrayBufferLike };

/** What a helper reports: of its blocks, in their order. */
export type Report =
  | { readonly kind: "printed"; readonly bytes: Uint8Array }
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly failure: InternalError };
