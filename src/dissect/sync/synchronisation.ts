import { expectNoPromise } from "../../dissector/promise-check.js";
import { inDirection } from "../../network/conversation.js";
import type { Decoder } from "../../schema/decode/decode.js";
import type { DirectionStream } from "../../session/stream/direction-stream.js";
import { decoderFor } from "../decode-message.js";
import type { DirectionEmitter } from "../direction-emitter.js";
import { findBoundary } from "./resynchronise.js";
import { brokenOff, notFound, type SkipReason, type SyncLoss, skipped } from "./skipped-range.js";

/** What the synchronisation of all directions shares. */
export interface SynchronisationContext {
  readonly decoder: Decoder;
  /** False if dissection of a direction stops at a message whose end is not known. */
  readonly searchesAfterUnknownEnd: boolean;
}

const UNKNOWN = -1;
const AT_BEGINNING: SyncLoss = { status: "truncated", where: "at the start of the capture", why: "", isAnywhere: true };
const WITHIN: SyncLoss = { status: "unknown", where: "by searching", why: "", isAnywhere: true };
const AFTER_GAP: SyncLoss = { status: "truncated", where: "after a gap", why: "", isAnywhere: true };
const REST_OF_MESSAGE = skipped("truncated", "part of an incomplete message");

/**
 * Knows where the next message of a direction begins: at the current place, after an incomplete message whose length is
 * known, or at a place that has to be searched for.
 */
export class Synchronisation {
  /** True while the next message does not begin at the current place, as far as known. */
  isSearching = false;
  /** Number of bytes that have to be available before it makes sense to search again. */
  needed = 0;
  /** A remark on the next message: how it was found, or what was skipped before it; usually empty. */
  remark = "";
  /** Why it is not known where that message begins. */
  #loss = AT_BEGINNING;
  /** Where an incomplete message ends, as an offset in the stream; negative if that is not known. */
  #knownEnd = UNKNOWN;

  constructor(
    readonly emitter: DirectionEmitter,
    readonly context: SynchronisationContext,
  ) {}

  get #stream(): DirectionStream {
    const { session, direction } = this.emitter;
    return inDirection(session.streams, direction);
  }

  /** Why the bytes at the current place are skipped, if they are. */
  get why(): SkipReason {
    if (!this.isSearching) return brokenOff("the conversation ends");
    return this.#stream.offset <= this.#knownEnd ? REST_OF_MESSAGE : notFound(this.#loss);
  }

  /** Returns the remark on the message that begins here; there is none on the messages that follow. */
  takeRemark(): string {
    const { remark } = this;
    this.remark = "";
    return remark;
  }

  /** Notes at which offset in the stream the message that begins here ends, in case that the rest of it is missing. */
  expectEnd(offset: number): void {
    this.#knownEnd = offset;
  }

  /** Notes that a message begins at the current place. */
  synchronised(): void {
    this.isSearching = false;
    this.remark = "";
    this.#knownEnd = UNKNOWN;
  }

  /** Notes that the dissector asks for a search. @returns why no message can be found, or undefined */
  requestSearch(): SkipReason | undefined {
    if (this.#loss === AT_BEGINNING && this.#stream.offset > 0) this.#loss = WITHIN;
    return this.loseSync();
  }

  /** Notes that it is not known where the next message begins. @returns why none can be found, or undefined */
  loseSync(): SkipReason | undefined {
    this.#knownEnd = UNKNOWN;
    this.needed = 0;
    this.isSearching = this.emitter.session.analyzer.candidate !== undefined;
    return this.isSearching ? undefined : notFound(this.#loss);
  }

  /** Like `loseSync`, after a message whose end is not known. */
  loseSyncAfter(name: string, { status, why }: Pick<SyncLoss, "status" | "why">): SkipReason | undefined {
    const { analyzer, conversation } = this.emitter.session;
    const isSearchable = analyzer.candidate !== undefined && analyzer.isSettled !== false;
    if (!isSearchable || conversation.transport !== "tcp" || !this.context.searchesAfterUnknownEnd) {
      return skipped(status, `no message can be found after ${name}, ${why}`);
    }
    this.#loss = { status, where: `after ${name}`, why, isAnywhere: false };
    return this.loseSync();
  }

  /** Decides how to continue after a gap. @returns why no message can be found, or undefined */
  afterGap(length: number): SkipReason | undefined {
    this.#loss = AFTER_GAP;
    this.needed = 0;
    if (this.#stream.offset <= this.#knownEnd) {
      this.isSearching = true;
      return undefined;
    }
    const { session, direction } = this.emitter;
    const canGoOn = session.analyzer.lost?.(direction, length);
    expectNoPromise(canGoOn, "lost()");
    if (canGoOn !== true) return this.loseSync();
    this.#resume();
    return undefined;
  }

  /** Goes on to the next message, as far as bytes are available; false if that takes more of them. */
  search(final: boolean): boolean {
    const { emitter } = this;
    const stream = this.#stream;
    if (stream.offset <= this.#knownEnd) {
      this.#skipRest();
      return true;
    }
    const { session, direction } = emitter;
    const search = findBoundary({
      analyzer: session.analyzer,
      direction,
      window: stream,
      decoder: decoderFor(session, this.context.decoder),
      final,
      isAnywhere: this.#loss.isAnywhere,
    });
    emitter.skipBytes(stream, search.skip);
    if (!search.found) {
      this.needed = search.needed;
      // What was searched in vain, up to a gap or the end, is reported as one range.
      if (final) emitter.endSkipped(notFound(this.#loss));
      return search.skip > 0;
    }
    const { status, where } = this.#loss;
    emitter.endSkipped(skipped(status, `the first message found ${where} comes next`));
    this.isSearching = false;
    const found = search.messages === 1 ? "a message makes" : `${search.messages} messages in a row make`;
    this.remark = `found ${where}: from here on ${found} sense`;
    return true;
  }

  /** Skips the rest of an incomplete message; the next one begins after it. */
  #skipRest(): void {
    const stream = this.#stream;
    const length = Math.min(this.#knownEnd - stream.offset, stream.end - stream.start);
    this.emitter.skipBytes(stream, length);
    if (stream.offset < this.#knownEnd) return;
    this.emitter.endSkipped(REST_OF_MESSAGE);
    this.#resume();
  }

  /** Continues at the current place. */
  #resume(): void {
    this.#stream.resume();
    this.synchronised();
  }
}
