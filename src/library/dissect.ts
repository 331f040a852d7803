import type { Message, MessageListener } from "../dissect/message.js";
import { displayFilter } from "../pipeline/display-filter.js";
import { DissectedMessage } from "../pipeline/dissected-message.js";
import { dissectorsWith } from "../pipeline/dissectors.js";
import type { EngineOptions, RunHooks } from "../pipeline/options.js";
import type { Pause } from "../pipeline/read-captures.js";
import { runCaptures } from "../pipeline/run.js";
import { type EndOfRun, RunWatch } from "./end-of-run.js";
import { type CaptureInputs, capturesIn } from "./inputs.js";
import { OwnCode } from "./own-code.js";
import { ownNetwork } from "./own-observer.js";
import { type Run, yielding } from "./run.js";

/**
 * Dissects captures and passes each message to a listener. This is the fast way: messages are not copied, and are valid
 * only during the call.
 *
 * @param listener undefined if only conversations are of interest: then their messages are not dissected
 * @param pause called between blocks of input, and waited for; false ends the run early
 * @throws DecodeAsError if a rule of `decodeAs` cannot be understood, FilterError if `filter` cannot, TypeError if one
 * of `dissectors` is not a dissector, the reason of `signal`, and whatever the listener, the `network` observer or a
 * function given as `filter` throws, which ends the run
 */
export async function dissectCaptures(
  captures: CaptureInputs,
  options: EngineOptions & RunHooks,
  listener: MessageListener | undefined,
  pause?: Pause,
): Promise<EndOfRun> {
  const own = new OwnCode();
  const guarded = listener && own.guard(listener, undefined);
  return own.whole(await passMessages(captures, ownOptions(own, options), guarded, own.pause(pause)));
}

/**
 * The same for the library itself: an error in its own listener is an internal one, which ends only the direction of the
 * conversation.
 */
export async function passMessages(
  captures: CaptureInputs,
  options: EngineOptions & RunHooks,
  listener: MessageListener | undefined,
  pause?: Pause,
): Promise<EndOfRun> {
  const { filter, dissectors = [], ...others } = options;
  const own = new OwnCode();
  const given = typeof filter === "function" ? own.guard(filter, false) : undefined;
  const passes = typeof filter === "string" ? await displayFilter(filter, dissectorsWith(dissectors)) : given;
  const watch = new RunWatch(options);
  const watched = (message: Message) => {
    watch.see(message);
    if (passes === undefined || passes(message)) listener?.(message);
  };
  const result = await runCaptures(
    capturesIn(captures),
    { ...others, dissectors, ...watch.hooks },
    listener && watched,
    given === undefined ? pause : own.pause(pause),
  );
  return own.whole(watch.end(result, listener !== undefined));
}

/**
 * Dissects captures and yields their messages, each a copy that stays valid. Reading waits until messages have been
 * taken, and ends when no more are wanted.
 *
 * @throws CaptureError if a capture cannot be read, or only in part (then after its messages), unless there is an
 * `onProblem`; also whatever `dissectCaptures` throws
 */
export function dissect(captures: CaptureInputs, options: EngineOptions = {}): Run<DissectedMessage> {
  return yielding(async (give, pause, hooks) => {
    const own = new OwnCode();
    const listener = (message: Message) => give(new DissectedMessage(message));
    const end = await passMessages(captures, { ...ownOptions(own, options), ...hooks }, listener, own.pause(pause));
    return own.whole(end);
  }, options);
}

/** The same options, with an observer whose errors are the program's. */
function ownOptions<O extends EngineOptions>(own: OwnCode, options: O): O {
  const { network } = options;
  return network === undefined ? options : { ...options, network: ownNetwork(own, network) };
}
