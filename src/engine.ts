/**
 * The engine: everything that makes messages of captures, and text of messages, without Node.js. It runs in browsers,
 * workers and other programs alike; files, keys beside a capture and threads are for its surroundings.
 *
 * ```ts
 * for await (const message of dissect(captureOf(file), { keys: [{ name: "dirtsand.ini", bytes }] })) {
 *   console.log(message.name);
 * }
 * ```
 */
import type { CaptureSource } from "./capture/source.js";
import type { DissectedMessage } from "./pipeline/dissected-message.js";
import { messagesOf } from "./pipeline/iterate.js";
import type { EngineOptions } from "./pipeline/options.js";
import { type RunResult, runCaptures } from "./pipeline/run.js";

export type { Decompress, Decompressors } from "./capture/compression/decompressors.js";
export type { CaptureProblem } from "./capture/packet.js";
export type { CaptureOutcome } from "./capture/reader.js";
export { CaptureError, type CaptureSource } from "./capture/source.js";
export {
  type Dissected,
  type Message,
  type MessageListener,
  type MessageNote,
  type Status,
  statuses,
} from "./dissect/message.js";
export type { Dissector } from "./dissector/dissector.js";
export type { InternalError } from "./dissector/failure.js";
export {
  compileFilter,
  FilterError,
  type MessageField,
  type MessageFilter,
  messageFields,
  Vocabulary,
} from "./filter/index.js";
export { defaultLimits, type LimitName, type Limits, limitFacts } from "./limits.js";
export { endpointText } from "./network/address.js";
export type { Conversation, Direction, Endpoint, EndReason, Origin } from "./network/conversation.js";
export type { PacketCounts } from "./network/network.js";
export { jsonLine, jsonTreeLine } from "./output/json/json.js";
export { statsJson } from "./output/statistics/stats-json.js";
export type { StatsReport } from "./output/statistics/stats-report.js";
export { type Column, columnOf } from "./output/tables/field-columns.js";
export { fieldsLine, headerLine } from "./output/tables/fields-line.js";
export { streamLine } from "./output/tables/stream-line.js";
export { colorless, type Palette } from "./output/text/palette.js";
export { summaryLines } from "./output/text/summary-line.js";
export { summaryText } from "./output/text/summary-text.js";
export { TextTree, type TreeStyle } from "./output/text/text-tree.js";
export { TimeColumn, type TimeFormat } from "./output/text/time-column.js";
export { CellWriter, type Separation } from "./output/writers/cell-writer.js";
export { type CaptureInput, captureOf } from "./pipeline/capture-input.js";
export { DissectedMessage } from "./pipeline/dissected-message.js";
export { dissectors, dissectorsWith } from "./pipeline/dissectors.js";
export type { EngineOptions, RunHooks } from "./pipeline/options.js";
export type { Pause, ReadingPlace } from "./pipeline/read-captures.js";
export { type RunResult, runCaptures } from "./pipeline/run.js";
export type { FieldTree } from "./schema/language/field-tree.js";
export { DecodeAsError } from "./session/decode-as.js";
export type { FileInMemory, GivenFile, StoredFile } from "./session/files/offered-file.js";
export type { ConversationObserver, NetworkObserver } from "./session/observer.js";
export type { RecognisedConversation } from "./session/recognised-conversation.js";
export { Statistics, type StreamFacts, StreamRecorder, Traffic } from "./stats/index.js";
export { type MessageHead, MessageStore } from "./store/message-store.js";

/**
 * Dissects captures, one after the other, as one continuous recording, and yields their messages, each a copy that stays
 * valid. `runCaptures` is faster, and passes on messages without a copy.
 *
 * @throws CaptureError if a capture cannot be read, or only in part (then after its messages), unless there is an
 * `onProblem`; also whatever `runCaptures` throws
 */
export function dissect(
  captures: CaptureSource | readonly CaptureSource[],
  options: EngineOptions = {},
): AsyncGenerator<DissectedMessage, RunResult> {
  const all = "open" in captures ? [captures] : captures;
  return messagesOf(
    (onProblem, listener, pause) => runCaptures(all, { ...options, onProblem }, listener, pause),
    options.onProblem,
  );
}
