/**
 * Protocol dissector for Myst Online: Uru Live, BZFlag and your own protocols.
 *
 * ```ts
 * for await (const message of dissect("session.pcap", { keys: ["dirtsand.ini"] })) console.log(message.name);
 * ```
 */
import type { MessageListener } from "./dissect/message.js";
import type { DissectedMessage } from "./pipeline/dissected-message.js";
import { messagesOf } from "./pipeline/iterate.js";
import type { EngineOptions } from "./pipeline/options.js";
import type { Pause } from "./pipeline/read-captures.js";
import { type RunResult, runCaptures } from "./pipeline/run.js";
import { captureAt } from "./platform/node/capture-file.js";
import { givenFiles } from "./platform/node/file-on-disk.js";
import { discoverKeys } from "./platform/node/key-discovery.js";
import type { FileInMemory } from "./session/files/offered-file.js";

export type { CaptureProblem } from "./capture/packet.js";
export type { CaptureOutcome } from "./capture/reader.js";
export { CaptureError } from "./capture/source.js";
export type { Message, MessageListener, MessageNote, Status } from "./dissect/message.js";
export type { ConversationDissector, Dissector } from "./dissector/dissector.js";
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
export type { EngineOptions } from "./pipeline/options.js";
export type { Pause, ReadingPlace } from "./pipeline/read-captures.js";
export type { RunResult } from "./pipeline/run.js";
export { DissectorModuleError, loadDissector } from "./platform/node/dissector-module.js";
export { DecodeAsError } from "./session/decode-as.js";
export type { FileInMemory } from "./session/files/offered-file.js";
export type { NameChange } from "./session/name-book.js";
export type { ConversationObserver, NetworkObserver } from "./session/observer.js";
export type { RecognisedConversation } from "./session/recognised-conversation.js";
export type { PlaintextListener } from "./session/stream/plaintext.js";

/** Options of a run. */
export interface DissectOptions extends Omit<EngineOptions, "keys" | "definitions"> {
  /**
   * Key files: their paths or their content. Formats are recognised by content. By default, those that the command line
   * finds: `session.pcap.keys` or `session.keys` beside the capture, or the file that MOULKEYLOGFILE names; [] for none.
   */
  readonly keys?: readonly (string | FileInMemory)[];
  /** Definition files (`.sdl`), plain or encrypted: paths of files or folders, or the content of files. */
  readonly definitions?: readonly (string | FileInMemory)[];
}

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
  const keys = givenFiles(options.keys ?? (await discoverKeys(paths, process.env)));
  const definitions = givenFiles(options.definitions ?? []);
  const captures = paths.map((path) => captureAt(path));
  return runCaptures(captures, { ...options, keys, definitions }, listener, pause);
};

/**
 * Dissects a capture and yields its messages, each a copy that stays valid.
 *
 * @param path of the capture; "-" is standard input
 * @throws CaptureError if the capture cannot be read, or only in part (then after its messages), unless there is an
 * `onProblem`; also whatever `dissectCaptures` throws
 */
export function dissect(path: string, options: DissectOptions = {}): AsyncGenerator<DissectedMessage, RunResult> {
  return messagesOf(
    (onProblem, listener, pause) => dissectCaptures([path], { ...options, onProblem }, listener, pause),
    options.onProblem,
  );
}
