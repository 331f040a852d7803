import type { Division } from "./share-of-thread.js";
import type { Trace } from "./trace.js";

/** What a thread begins with. */
export interface ShareTask<Setup> {
  /** What its module has to know, as plain data. */
  readonly setup: Setup;
  readonly division: Division;
}

/** What a thread is asked to do. */
export type ShareOrder =
  /** Use the memory of a trace again. */
  | { readonly kind: "reuse"; readonly memory: readonly ArrayBufferLike[] }
  /** Read no further. */
  | { readonly kind: "stop" };

/** What a thread reports. */
export type ShareReport<Content, Result> =
  | { readonly kind: "trace"; readonly trace: Trace<Content> }
  /** Its conversations may depend on others, to follow "because". */
  | { readonly kind: "unusual"; readonly why: string }
  /** It has read everything. */
  | { readonly kind: "ended"; readonly result: Result };

/** The most traces of a thread that wait to be read. */
export const MOST_TRACES = 16;
