import type { CaptureProblem } from "../capture/packet.js";
import { CaptureError } from "../capture/source.js";
import type { Message, MessageListener } from "../dissect/message.js";
import { Channel } from "../pipeline/channel.js";
import { displayFilter } from "../pipeline/display-filter.js";
import { DissectedMessage } from "../pipeline/dissected-message.js";
import { dissectorsWith } from "../pipeline/dissectors.js";
import type { EngineOptions, RunHooks } from "../pipeline/options.js";
import type { Pause } from "../pipeline/read-captures.js";
import { runCaptures } from "../pipeline/run.js";
import { type EndOfRun, RunWatch } from "./end-of-run.js";
import { type CaptureInputs, capturesIn } from "./inputs.js";

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
  captures: CaptureInputs,
  options: EngineOptions & RunHooks,
  listener: MessageListener | undefined,
  pause?: Pause,
): Promise<EndOfRun> {
  const { filter, dissectors = [], ...others } = options;
  const passes = typeof filter === "string" ? await displayFilter(filter, dissectorsWith(dissectors)) : filter;
  const watch = new RunWatch(options);
  const watched = (message: Message) => {
    watch.see(message);
    if (passes === undefined || passes(message)) listener?.(message);
  };
  const result = await runCaptures(
    capturesIn(captures),
    { ...others, dissectors, ...watch.hooks },
    listener && watched,
    pause,
  );
  return watch.end(result, listener !== undefined);
}

/** The messages of a run, and how it ended. */
export interface MessageRun extends AsyncGenerator<DissectedMessage, EndOfRun> {
  /**
   * How the run ended, with what could not be read or understood; the same is what the generator returns. It waits until
   * somebody has taken the messages, or no longer wants them.
   */
  readonly end: Promise<EndOfRun>;
}

/** Begins a run that ends early where `stop` says so. */
type Begin = (
  listener: MessageListener,
  pause: Pause,
  hooks: Required<Pick<EngineOptions & RunHooks, "onProblem" | "stop">>,
) => Promise<EndOfRun>;

/**
 * Dissects captures and yields their messages, each a copy that stays valid. Reading waits until messages have been
 * taken, and ends when no more are wanted.
 *
 * @throws CaptureError if a capture cannot be read, or only in part (then after its messages), unless there is an
 * `onProblem`; also whatever `dissectCaptures` throws
 */
export function dissect(captures: CaptureInputs, options: EngineOptions = {}): MessageRun {
  return messageRun(
    (listener, pause, hooks) => dissectCaptures(captures, { ...options, ...hooks }, listener, pause),
    options,
  );
}

/** The messages of a run that begins when the first of them is asked for. */
export function messageRun(begin: Begin, options: Pick<EngineOptions, "onProblem" | "signal">): MessageRun {
  let begun: (run: Promise<EndOfRun>) => void = () => {};
  const end = new Promise<EndOfRun>((resolve) => {
    begun = resolve;
  });
  // Who does not ask for the end learns of a failure from the messages.
  end.catch(() => {});
  return Object.assign(messagesOf(begin, options, begun), { end });
}

async function* messagesOf(
  begin: Begin,
  { onProblem, signal }: Pick<EngineOptions, "onProblem" | "signal">,
  begun: (run: Promise<EndOfRun>) => void,
): AsyncGenerator<DissectedMessage, EndOfRun> {
  const channel = new Channel<DissectedMessage>();
  const problems: CaptureProblem[] = [];
  const enough = new AbortController();
  const stop = () => enough.abort();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  const run = begin(
    (message) => channel.push(new DissectedMessage(message)),
    () => channel.taken(),
    { onProblem: onProblem ?? ((problem) => void problems.push(problem)), stop: enough.signal },
  ).finally(() => {
    signal?.removeEventListener("abort", stop);
    channel.end();
  });
  begun(run);
  try {
    for await (const batch of channel.batches()) yield* batch;
    const result = await run;
    const [problem] = problems;
    if (problem !== undefined) throw new CaptureError(problem.file, problem.text);
    return result;
  } finally {
    channel.refuse();
    stop();
  }
}
