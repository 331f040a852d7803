import type { InternalError } from "../../dissector/failure.js";
import type { BatchOrder } from "../../parallel/batch-thread.js";
import type { RunFiles } from "../run/dissect-options.js";
import type { CaptureRunOptions } from "../run/options.js";
import type { RowGroup } from "./row-group.js";

/** What a thread that makes rows begins with. */
export interface RowTask {
  readonly options: CaptureRunOptions;
  readonly files: RunFiles;
  /** The digest of the capture. */
  readonly capture: string;
  /** True for the table `fields`. */
  readonly fields: boolean;
  /** That of the `BatchCount` of this thread. */
  readonly count: SharedArrayBuffer;
}

/** What such a thread is asked to do; of the messages of a batch, it makes the rows. */
export type RowOrder =
  | BatchOrder
  /** Add rows that are made already: what a `PartWriter` has written. */
  | { readonly kind: "rows"; readonly bytes: Uint8Array }
  /** What comes next belongs to another part. */
  | { readonly kind: "end" };

/** What it reports. */
export type RowReport =
  | { readonly kind: "group"; readonly group: RowGroup }
  /** It is done with some more batches. */
  | { readonly kind: "read" }
  /** It is done with a part. */
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly failure: InternalError };
