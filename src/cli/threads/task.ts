import type { InternalError } from "../../index.js";
import type { DisplayOptions } from "../message-display.js";
import type { PieceSize } from "../piece-buffers.js";
import type { CaptureRunOptions } from "../run/options.js";

/** How the text of a block of messages is handed over. */
export const blockPieces: PieceSize = { bytes: 512 * 1024, mostSpare: 8 };

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
  readonly memory: SharedArrayBuffer;
}

/** What a helper reports. */
export type Report =
  | { readonly kind: "printed"; readonly block: number; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "ended"; readonly block: number; readonly last: number }
  | { readonly kind: "failed"; readonly failure: InternalError }
  | { readonly kind: "done" };
