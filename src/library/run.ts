import type { CaptureProblem } from "../capture/packet.js";
import { CaptureError } from "../capture/source.js";
import { Channel } from "../pipeline/channel.js";
import type { EngineOptions } from "../pipeline/options.js";
import type { Pause } from "../pipeline/read-captures.js";
import type { EndOfRun } from "./end-of-run.js";

/** What a run yields, and how it ended. */
export interface Run<T> extends AsyncGenerator<T, EndOfRun> {
  /**
   * How the run ended, with what could not be read or understood; the same is what the generator returns. It waits until
   * somebody has taken what the run yields, or no longer wants it.
   */
  readonly end: Promise<EndOfRun>;
}

/** How a run ended that nobody wanted before it began. */
const NOT_BEGUN: EndOfRun = {
  captures: [],
  keysComplete: true,
  keysExposed: [],
  definitionsComplete: true,
  packets: {
    packets: 0,
    tcp: 0,
    udp: 0,
    cut: 0,
    others: new Map(),
    checksums: new Map(),
    unaccepted: { bytes: 0, streams: new Map() },
    limits: new Map(),
  },
  messages: 0,
  remarks: [],
};

/** Begins a run that gives what it makes, waits where `pause` does, and ends early where `stop` says so. */
export type Begin<T> = (
  give: (item: T) => void,
  pause: Pause,
  hooks: { readonly onProblem: (problem: CaptureProblem) => void; readonly stop: AbortSignal },
) => Promise<EndOfRun>;

/**
 * Yields what a run makes; it begins when the first item is asked for. Reading waits until items have been taken, and
 * ends when no more are wanted.
 */
export function yielding<T>(begin: Begin<T>, options: Pick<EngineOptions, "onProblem" | "signal">): Run<T> {
  return withEnd((begun) => itemsOf(begin, options, begun));
}

/** Yields what another run does, once that has been prepared. */
export function prepared<T>(prepare: () => Promise<Run<T>>): Run<T> {
  return withEnd(async function* (begun) {
    const preparing = prepare();
    begun(preparing.then((run) => run.end));
    return yield* await preparing;
  });
}

type Items<T> = AsyncGenerator<T, EndOfRun>;

/** @param items makes what is yielded; it says how the run will end once that has begun */
function withEnd<T>(items: (begun: (end: Promise<EndOfRun>) => void) => Items<T>): Run<T> {
  let begun: (end: Promise<EndOfRun>) => void = () => {};
  const end = new Promise<EndOfRun>((resolve) => {
    begun = resolve;
  });
  // Who does not ask for the end learns of a failure from what is yielded.
  end.catch(() => {});
  const yielded = items(begun);
  const [giveUp, fail] = [yielded.return.bind(yielded), yielded.throw.bind(yielded)];
  return Object.assign(yielded, {
    end,
    // What is over before it has begun would never say how it ended; after that, this says nothing new.
    return: (value: EndOfRun | PromiseLike<EndOfRun>) => {
      begun(Promise.resolve(NOT_BEGUN));
      return giveUp(value);
    },
    throw: (error: unknown) => {
      const failed = fail(error);
      begun(failed.then(() => NOT_BEGUN));
      return failed;
    },
  });
}

async function* itemsOf<T>(
  begin: Begin<T>,
  { onProblem, signal }: Pick<EngineOptions, "onProblem" | "signal">,
  begun: (run: Promise<EndOfRun>) => void,
): Items<T> {
  const channel = new Channel<T>();
  const problems: CaptureProblem[] = [];
  const enough = new AbortController();
  const stop = () => enough.abort();
  signal?.addEventListener("abort", stop);
  if (signal?.aborted === true) stop();
  const run = begin(
    (item) => channel.push(item),
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
