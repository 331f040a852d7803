import type { InternalError } from "../../index.js";
import type { DisplayOptions } from "../message-display.js";
import type { PieceSize } from "../piece-buffers.js";
import type { CaptureRunOptions } from "../run/options.js";

/** How the text of a block of messages is gathered. */
export const blockPieces: PieceSize = { bytes: 512 * 1024, mostSpare: 8 };

/**
 * How it is handed over. The memory is shared, not transferred: once a program has transferred a buffer, V8 checks
 * before every access to a typed array whether its buffer is still there, which takes a tenth of the time.
 */
export const sharedPieces: PieceSize = { ...blockPieces, isShared: true };

/** The options that a helper needs. */
export interface SharedOptions extends CaptureRunOptions, DisplayOptions {
  readonly checksums?: boolean;
}

/** What a helper is to do. */
export interface Task {
  readonly captures: readonly string[];
  /** The number of bytes to read of each capture: one that grows must be the same for all threads. */
  readonly lengths: readonly number[];
  readonly options: SharedOptions;
  /** Paths of key files. */
  readonly keys: readonly string[];
  /** That of the `WorkShare` of all threads. */
  readonly memory: SharedArrayBuffer;
  /** That of the `Backlog` of this helper. */
  readonly backlogMemory: SharedArrayBuffer;
}

/** What a helper reports. */
export type Report =
  | { readonly kind: "claimed" }
  | { readonly kind: "printed"; readonly block: number; readonly bytes: Uint8Array }
  | { readonly kind: "ended"; readonly block: number; readonly last: number }
  | { readonly kind: "failed"; readonly failure: InternalError }
  | { readonly kind: "done" };
