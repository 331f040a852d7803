import { expectNoPromise } from "../../dissector/promise-check.js";
import { inDirection } from "../../network/conversation.js";
import type { Decoder } from "../../schema/decode/decode.js";
import type { DirectionStream } from "../../session/stream/direction-stream.js";
import { decoderFor } from "../decode-message.js";
import type { DirectionOutlet } from "../direction-outlet.js";
import { findBoundary } from "./resynchronise.js";
import { brokenOff, type Lost, notFound, type Opaque, skipped } from "./stretch.js";

/** What the tracks of all directions share. */
export interface TrackContext {
  readonly decoder: Decoder;
  /** False if dissection of a direction stops at a message whose end is not known. */
  readonly searchesAfterUnknownEnd: boolean;
}

const UNKNOWN = -1;
const AT_BEGINNING: Lost = { status: "truncated", where: "at the start of the capture", why: "", isAnywhere: true };
const WITHIN: Lost = { status: "unknown", where: "by searching", why: "", isAnywhere: true };
const AFTER_GAP: Lost = { status: "truncated", where: "after a gap", why: "", isAnywhere: true };
const REST_OF_MESSAGE = skipped("truncated", "part of an incomplete message");

/**
 * Knows where the next message of a direction begins: at the current place, after an incomplete message whose length is
 * known, or at a place that has to be searched for.
 */
export class Track {
  /** True while the next message does not begin at the current place, as far as known. */
  isSearching = false;
  /** Number of bytes that have to be available before it makes sense to search again. */
  needed = 0;
  /** A remark on the next message: how it was found, or what was skipped before it; usually empty. */
  remark = "";
  /** Why it is not known where that message begins. */
  #lost = AT_BEGINNING;
  /** Where an incomplete message ends, as an offset in the stream; negative if that is not known. */
  #knownEnd = UNKNOWN;

  constructor(
    readonly outlet: DirectionOutlet,
    readonly context: TrackContext,
  ) {}

  get #stream(): DirectionStream {
    const { session, direction } = this.outlet;
    return inDirection(session.streams, direction);
  }

  /** Why the bytes at the current place are skipped, if they are. */
  get why(): Opaque {
    if (!this.isSearching) return brokenOff("the conversation ends");
    return this.#stream.offset <= this.#knownEnd ? REST_OF_MESSAGE : notFound(this.#lost);
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
  find(): void {
    this.isSearching = false;
    this.remark = "";
    this.#knownEnd = UNKNOWN;
  }

  /** Notes that the dissector asks for a search. @returns why no message can be found, or undefined */
  seek(): Opaque | undefined {
    if (this.#lost === AT_BEGINNING && this.#stream.offset > 0) this.#lost = WITHIN;
    return this.lose();
  }

  /** Notes that it is not known where the next message begins. @returns why none can be found, or undefined */
  lose(): Opaque | undefined {
    this.#knownEnd = UNKNOWN;
    this.needed = 0;
    this.isSearching = this.outlet.session.dissector.candidate !== undefined;
    return this.isSearching ? undefined : notFound(this.#lost);
  }

  /** Like `lose`, after a message whose end is not known. */
  loseAfter(name: string, { status, why }: Pick<Lost, "status" | "why">): Opaque | undefined {
    const { dissector, conversation } = this.outlet.session;
    const isSearchable = dissector.candidate !== undefined && dissector.isSettled !== false;
    if (!isSearchable || conversation.transport !== "tcp" || !this.context.searchesAfterUnknownEnd) {
      return skipped(status, `no message can be found after ${name}, ${why}`);
    }
    this.#lost = { status, where: `after ${name}`, why, isAnywhere: false };
    return this.lose();
  }

  /** Decides how to continue after a gap. @returns why no message can be found, or undefined */
  afterGap(length: number): Opaque | undefined {
    this.#lost = AFTER_GAP;
    this.needed = 0;
    if (this.#stream.offset <= this.#knownEnd) {
      this.isSearching = true;
      return undefined;
    }
    const { session, direction } = this.outlet;
    const canGoOn = session.dissector.lost?.(direction, length);
    expectNoPromise(canGoOn, "lost()");
    if (canGoOn !== true) return this.lose();
    this.#resume();
    return undefined;
  }

  /** Goes on to the next message, as far as bytes are available; false if that takes more of them. */
  search(final: boolean): boolean {
    const { outlet } = this;
    const stream = this.#stream;
    if (stream.offset <= this.#knownEnd) {
      this.#passRest();
      return true;
    }
    const { session, direction } = outlet;
    const search = findBoundary({
      dissector: session.dissector,
      direction,
      window: stream,
      decoder: decoderFor(session, this.context.decoder),
      final,
      isAnywhere: this.#lost.isAnywhere,
    });
    outlet.pass(stream, search.skip);
    if (!search.found) {
      this.needed = search.needed;
      // What was searched in vain, up to a gap or the end, is reported as one stretch.
      if (final) outlet.endStretch(notFound(this.#lost));
      return search.skip > 0;
    }
    const { status, where } = this.#lost;
    outlet.endStretch(skipped(status, `the first message found ${where} comes next`));
    this.isSearching = false;
    const found = search.messages === 1 ? "a message makes" : `${search.messages} messages in a row make`;
    this.remark = `found ${where}: from here on ${found} sense`;
    return true;
  }

  /** Skips the rest of an incomplete message; the next one begins after it. */
  #passRest(): void {
    const stream = this.#stream;
    const length = Math.min(this.#knownEnd - stream.offset, stream.end - stream.start);
    this.outlet.pass(stream, length);
    if (stream.offset < this.#knownEnd) return;
    this.outlet.endStretch(REST_OF_MESSAGE);
    this.#resume();
  }

  /** Continues at the current place. */
  #resume(): void {
    this.#stream.resume();
    this.find();
  }
}
