import type { CaptureProblem } from "../capture/packet.js";
import { CaptureError } from "../capture/source.js";
import type { Message, MessageListener } from "../dissect/message.js";
import { Channel } from "./channel.js";
import { DissectedMessage } from "./dissected-message.js";
import type { Pause } from "./read-captures.js";
import type { RunResult } from "./run.js";

/** Begins a run. */
export type Run = (
  onProblem: (problem: CaptureProblem) => void,
  listener: MessageListener,
  pause: Pause,
) => Promise<RunResult>;

/**
 * Yields the messages of a run, each a copy that stays valid. Reading waits until they have been taken, and ends when no
 * more are wanted.
 *
 * @param onProblem told of what is wrong with a capture; without it, that is thrown after the messages
 * @throws CaptureError if a capture cannot be read, or only in part, unless there is an `onProblem`
 */
export async function* messagesOf(
  run: Run,
  onProblem: ((problem: CaptureProblem) => void) | undefined,
): AsyncGenerator<DissectedMessage, RunResult> {
  const channel = new Channel<DissectedMessage>();
  const problems: CaptureProblem[] = [];
  const listener = (message: Message) => channel.push(new DissectedMessage(message));
  const finished = run(onProblem ?? ((problem) => void problems.push(problem)), listener, () =>
    channel.taken(),
  ).finally(() => channel.end());
  // The failure of a run reaches the caller through the generator, below.
  finished.catch(() => {});
  try {
    for await (const batch of channel.batches()) yield* batch;
    const result = await finished;
    const [problem] = problems;
    if (problem !== undefined) throw new CaptureError(problem.file, problem.text);
    return result;
  } finally {
    channel.refuse();
  }
}
