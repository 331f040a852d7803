import type { MessageListener } from "../../dissect/message.js";
import * as library from "../../library/dissect.js";
import type { EndOfRun } from "../../library/end-of-run.js";
import type { Pause } from "../../pipeline/read-captures.js";
import { type DissectOptions, type Inputs, prepared } from "./prepared.js";

/** The library as programs in Node.js use it: with paths, and the keys beside a capture. */

/**
 * Dissects captures and passes each message to a listener. This is the fast way: messages are not copied, and are valid
 * only during the call.
 *
 * @param listener undefined if only conversations are of interest: then their messages are not dissected
 * @param pause called between blocks of input, and waited for; false ends the run early
 * @throws DecodeAsError if a rule of `decodeAs` cannot be understood, FilterError if `filter` cannot, TypeError if one
 * of `dissectors` is not a dissector, and the reason of `signal`
 */
export async function dissectCaptures(
  inputs: Inputs,
  options: DissectOptions,
  listener: MessageListener | undefined,
  pause?: Pause,
): Promise<EndOfRun> {
  const run = await prepared(inputs, options);
  return library.dissectCaptures(run.captures, run.options, listener, pause);
}

/**
 * Dissects captures and yields their messages, each a copy that stays valid. Reading waits until messages have been
 * taken, and ends when no more are wanted.
 *
 * @throws CaptureError if a capture cannot be read, or only in part (then after its messages), unless there is an
 * `onProblem`; also whatever `dissectCaptures` throws
 */
export function dissect(inputs: Inputs, options: DissectOptions = {}): library.MessageRun {
  return library.messageRun(async (listener, pause, hooks) => {
    const run = await prepared(inputs, options);
    return library.dissectCaptures(run.captures, { ...run.options, ...hooks }, listener, pause);
  }, options);
}
