/**
 * Protocol dissector for Myst Online: Uru Live, BZFlag and your own protocols.
 *
 * ```ts
 * for await (const message of dissect("session.pcap", { keys: ["dirtsand.ini"] })) console.log(message.name);
 * ```
 */
import type { CaptureProblem } from "./capture/packet.js";
import { CaptureError } from "./capture/source.js";
import type { Message, MessageListener } from "./dissect/message.js";
import { Channel } from "./pipeline/channel.js";
import { DissectedMessage } from "./pipeline/dissected-message.js";
import type { DissectOptions } from "./pipeline/options.js";
import type { Pause } from "./pipeline/read-captures.js";
import { type RunResult, runCaptures } from "./pipeline/run.js";
import { discoverKeys } from "./session/files/key-discovery.js";

export type { CaptureProblem } from "./capture/packet.js";
export type { CaptureOutcome } from "./capture/reader.js";
export { CaptureError } from "./capture/source.js";
export type { Message, MessageListener, MessageNote, Status } from "./dissect/message.js";
export type { ConversationDissector, Dissector } from "./dissector/dissector.js";
export { DissectorModuleError, loadDissector } from "./dissector/dissector-module.js";
export { DissectorFailure, type InternalError } from "./dissector/failure.js";
export { FilterError } from "./filter/language/filter-error.js";
export { defaultLimits, type LimitName, type Limits, limitFacts } from "./limits.js";
export type {
  ChecksumNote,
  Conversation,
  ConversationListener,
  Direction,
  Endpoint,
  EndReason,
  GapReason,
  Origin,
  Transport,
} from "./network/conversation.js";
export type { ChecksumCounts, PacketCounts } from "./network/network.js";
export { displayFilter } from "./pipeline/display-filter.js";
export { DissectedMessage } from "./pipeline/dissected-message.js";
export { dissectors, dissectorsWith } from "./pipeline/dissectors.js";
export type { DissectOptions } from "./pipeline/options.js";
export type { Pause, ReadingPlace } from "./pipeline/read-captures.js";
export type { RunResult } from "./pipeline/run.js";
export { DecodeAsError } from "./session/decode-as.js";
export type { FileInMemory } from "./session/files/offered-file.js";
export type { NameChange } from "./session/name-book.js";
export type { ConversationObserver, NetworkObserver } from "./session/observer.js";
export type { RecognisedConversation } from "./session/recognised-conversation.js";
export type { PlaintextListener } from "./session/stream/plaintext.js";

/**
 * Dissects captures one after the other, as one continuous recording, and passes each message to a listener. This is
 * the fast way: messages are not copied, and are valid only during the call.
 *
 * @param paths of the captures; "-" is standard input
 * @param listener undefined if only conversations are of interest: then their messages are not dissected
 * @param pause called between blocks of input, and waited for; false ends the run early
 * @throws DecodeAsError if a rule of `decodeAs` cannot be understood, FilterError if `filter` cannot, TypeError if
 * one of `dissectors` is not a dissector
 */
export const dissectCaptures: (
  paths: readonly string[],
  options: DissectOptions,
  listener: MessageListener | undefined,
  pause?: Pause,
) => Promise<RunResult> = async (paths, options, listener, pause) => {
  const keys = options.keys ?? (await discoverKeys(paths, process.env));
  return runCaptures(paths, { ...options, keys }, listener, pause);
};

/**
 * Dissects a capture and yields its messages, each a copy that stays valid.
 *
 * @param path of the capture; "-" is standard input
 * @throws CaptureError if the capture cannot be read, or only in part (then after its messages), unless there is an
 * `onProblem`; also whatever `dissectCaptures` throws
 */
export async function* dissect(
  path: string,
  options: DissectOptions = {},
): AsyncGenerator<DissectedMessage, RunResult> {
  const channel = new Channel<DissectedMessage>();
  const problems: CaptureProblem[] = [];
  const onProblem = options.onProblem ?? ((problem: CaptureProblem) => void problems.push(problem));
  const listener = (message: Message) => channel.push(new DissectedMessage(message));
  const run = dissectCaptures([path], { ...options, onProblem }, listener, () => channel.taken());
  const finished = run.finally(() => channel.end());
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
