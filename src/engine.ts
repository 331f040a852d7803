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

export { CompressionError } from "./capture/compression/compression-error.js";
export type { Decompress, Decompressors } from "./capture/compression/decompressors.js";
export type { CaptureProblem } from "./capture/packet.js";
export type { CaptureOutcome } from "./capture/reader.js";
export { CaptureError, type CaptureSource } from "./capture/source.js";
export {
  type Difference,
  type FieldDifference,
  LineError,
  type MessagesDifference,
  type NodeDifference,
  type NodeReference,
  type Reference,
  type TuningOptions,
  type Whereabouts,
} from "./check/index.js";
export { UsageError } from "./common/usage-error.js";
export {
  type Dissected,
  type Message,
  type MessageListener,
  type MessageNote,
  type Status,
  statuses,
} from "./dissect/message.js";
export type { Dissector } from "./dissector/dissector.js";
export { DissectorFailure, type InternalError } from "./dissector/failure.js";
export {
  compileFilter,
  FilterError,
  type MessageField,
  type MessageFilter,
  messageFields,
  Vocabulary,
} from "./filter/index.js";
export type { CheckOptions, CheckResult } from "./library/check.js";
export { check, type Expectation } from "./library/check.js";
export { DecodedValue, type DecodeOptions, decode, encode } from "./library/decode.js";
export { decrypt } from "./library/decrypt.js";
export { dissect, dissectCaptures } from "./library/dissect.js";
export type { EndOfRun } from "./library/end-of-run.js";
export type { CaptureInputs } from "./library/inputs.js";
export type { KeyLog, KeyOptions } from "./library/keys.js";
export { embedKeys, sessionKeys } from "./library/keys.js";
export type { Run } from "./library/run.js";
export type { ScrubOptions } from "./library/scrub.js";
export { scrub } from "./library/scrub.js";
export type { CountedMessages, StatisticsOptions } from "./library/statistics.js";
export { statistics } from "./library/statistics.js";
export type { FoundStreams, StreamOptions } from "./library/streams.js";
export { streams } from "./library/streams.js";
export { columns, summaryLine, treeText } from "./library/texts.js";
export { type Name, vocabulary } from "./library/vocabulary.js";
export { defaultLimits, type LimitName, type Limits, limitFacts } from "./limits.js";
export { endpointText } from "./network/address.js";
export type { Conversation, Direction, Endpoint, EndReason, Origin } from "./network/conversation.js";
export type { PacketCounts } from "./network/network.js";
export { jsonLine, jsonTreeLine } from "./output/json/json.js";
export type { MessageJson, MessageTree, TreeNode, ValueJson, ValueTree } from "./output/json/message-json.js";
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
export { type CapturedPacket, captureOfPackets } from "./pipeline/captured-packets.js";
export { displayFilter } from "./pipeline/display-filter.js";
export { DissectedMessage, type Named } from "./pipeline/dissected-message.js";
export { dissectors, dissectorsWith } from "./pipeline/dissectors.js";
export type { EngineOptions, RunHooks } from "./pipeline/options.js";
export type { Pause, ReadingPlace } from "./pipeline/read-captures.js";
export { type RunResult, runCaptures } from "./pipeline/run.js";
export { EncodeError } from "./schema/encode/output.js";
export type { FieldTree, Selection, Wanted } from "./schema/language/field-tree.js";
export { DecodeAsError } from "./session/decode-as.js";
export type { FileInMemory, GivenFile, StoredFile } from "./session/files/offered-file.js";
export type { ConversationObserver, NetworkObserver } from "./session/observer.js";
export type { RecognisedConversation } from "./session/recognised-conversation.js";
export { Statistics, type StreamFacts, StreamRecorder, Traffic } from "./stats/index.js";
export { type MessageHead, MessageStore } from "./store/message-store.js";
