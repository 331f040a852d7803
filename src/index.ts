/**
 * Protocol dissector for Myst Online: Uru Live, BZFlag and your own protocols.
 *
 * ```ts
 * for await (const message of dissect("session.pcap", { keys: ["dirtsand.ini"] })) console.log(message.name);
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
export type { Message, MessageListener, MessageNote, Status } from "./dissect/message.js";
export type { ConversationDissector, Dissector } from "./dissector/dissector.js";
export { DissectorFailure, type InternalError } from "./dissector/failure.js";
export { FilterError } from "./filter/language/filter-error.js";
export type { CheckOptions, CheckResult } from "./library/check.js";
export { DecodedValue, type DecodeOptions, encode } from "./library/decode.js";
export type { EndOfRun } from "./library/end-of-run.js";
export type { KeyLog, KeyOptions } from "./library/keys.js";
export type { Run } from "./library/run.js";
export type { ScrubOptions } from "./library/scrub.js";
export type { CountedMessages, StatisticsOptions } from "./library/statistics.js";
export type { FoundStreams, StreamOptions } from "./library/streams.js";
export { columns, summaryLine, treeText } from "./library/texts.js";
export { type Name, vocabulary } from "./library/vocabulary.js";
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
export type { MessageJson, MessageTree, TreeNode, ValueJson, ValueTree } from "./output/json/message-json.js";
export { statsJson } from "./output/statistics/stats-json.js";
export type { StatsReport } from "./output/statistics/stats-report.js";
export { streamLine } from "./output/tables/stream-line.js";
export { summaryText } from "./output/text/summary-text.js";
export { type CaptureInput, captureOf } from "./pipeline/capture-input.js";
export { type CapturedPacket, captureOfPackets } from "./pipeline/captured-packets.js";
export { displayFilter } from "./pipeline/display-filter.js";
export { DissectedMessage, type Named } from "./pipeline/dissected-message.js";
export { dissectors, dissectorsWith } from "./pipeline/dissectors.js";
export type { EngineOptions } from "./pipeline/options.js";
export type { Pause, ReadingPlace } from "./pipeline/read-captures.js";
export type { RunResult } from "./pipeline/run.js";
export { DissectorModuleError, loadDissector } from "./platform/node/dissector-module.js";
export {
  check,
  decode,
  decrypt,
  dissect,
  dissectCaptures,
  type Expectation,
  embedKeys,
  scrub,
  sessionKeys,
  statistics,
  streams,
} from "./platform/node/library.js";
export type { DissectOptions, FileOptions, InNode, Input, Inputs } from "./platform/node/prepared.js";
export { EncodeError } from "./schema/encode/output.js";
export { DecodeAsError } from "./session/decode-as.js";
export type { FileInMemory } from "./session/files/offered-file.js";
export type { NameChange } from "./session/name-book.js";
export type { ConversationObserver, NetworkObserver } from "./session/observer.js";
export type { RecognisedConversation } from "./session/recognised-conversation.js";
export type { PlaintextListener } from "./session/stream/plaintext.js";
export type { Sent, StreamFacts } from "./stats/index.js";
