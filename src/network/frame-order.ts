import type { Origin } from "./conversation.js";

/**
 * Where something stands in the order of frames: twice the number of its frame; odd for what comes after that frame and
 * before the next one.
 */
export type FrameOrder = number;

/** Where what a packet brings stands in the order of frames. */
export function frameOrderOf({ frame, after }: Pick<Origin, "frame" | "after">): FrameOrder {
  return after === undefined ? 2 * frame : 2 * after + 1;
}
