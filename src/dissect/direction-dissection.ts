import { counted } from "../common/counted.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import type { Limits } from "../limits.js";
import { type Direction, inDirection } from "../network/conversation.js";
import { type FrameOrder, frameOrderOf } from "../network/frame-order.js";
import type { Decoder } from "../schema/decode/decode.js";
import { Extent } from "../schema/decode/window.js";
import type { StructType } from "../schema/language/struct.js";
import type { RecognisedSession } from "../session/session.js";
import type { DirectionStream } from "../session/stream/direction-stream.js";
import { decodeMessage, decoderFor } from "./decode-message.js";
import { DirectionEmitter, type EmitterContext, type Headed } from "./direction-emitter.js";
import { checkedStep } from "./step-check.js";
import { RetryThreshold } from "./sync/retry-threshold.js";
import { brokenOff, gapsOfAllTooLong, gapsTooLong, type SkipReason, skipped } from "./sync/skipped-range.js";
import { Synchronisation, type SynchronisationContext } from "./sync/synchronisation.js";

/** What the directions of all conversations share. */
export interface DissectionContext extends EmitterContext, SynchronisationContext {
  /** Number of bytes in all directions that wait for more. */
  waiting: number;
  readonly limits: Limits;
}

const OTHER_MISSING = skipped("truncated", "the other direction, which is needed to interpret this one, is missing");

/** Splits one direction of a conversation into messages, as its dissector says, and decodes each of them. */
export class DirectionDissection {
  /** While a message is incomplete. */
  #retry: RetryThreshold | undefined;
  /** Set once nothing more of the direction can be dissected. */
  #skipReason: SkipReason | undefined;
  readonly #emitter: DirectionEmitter;
  readonly #sync: Synchronisation;
  /** Number of bytes that wait for more, as last counted. */
  #waiting = 0;

  constructor(
    readonly session: RecognisedSession,
    readonly direction: Direction,
    readonly context: DissectionContext,
  ) {
    this.#emitter = new DirectionEmitter(session, direction, context);
    this.#sync = new Synchronisation(this.#emitter, context);
  }

  get stream(): DirectionStream {
    return inDirection(this.session.streams, this.direction);
  }

  /** True while it is not known where the next message begins. */
  get isSearching(): boolean {
    return this.#sync.isSearching && this.#skipReason === undefined;
  }

  /** True if there are no bytes, neither new nor waiting. */
  get isIdle(): boolean {
    return this.#waiting === 0 && this.stream.held === 0;
  }

  /**
   * Dissects the bytes received so far; true if it made progress.
   *
   * @param upTo the last in the order of frames whose bytes are wanted now; only one step is taken with later bytes
   */
  run(upTo: FrameOrder = Number.POSITIVE_INFINITY): boolean {
    const moved = this.#advance(upTo);
    this.#account();
    const { waiting, limits } = this.context;
    if (this.#waiting === 0 || waiting <= limits.waitingBytes) return moved;
    this.#giveUp(
      skipped("truncated", "too many bytes in all conversations together wait for the rest of their messages"),
    );
    this.#advance(upTo);
    this.#account();
    return true;
  }

  /** Adds the bytes that wait in this direction to those of all directions. */
  #account(): void {
    const waiting = this.stream.held;
    this.context.waiting += waiting - this.#waiting;
    this.#waiting = waiting;
  }

  #advance(upTo: FrameOrder): boolean {
    const stream = this.stream;
    let moved = false;
    if (stream.abandoned === "cipher failed" && this.#skipReason === undefined) this.crashed();
    for (;;) {
      if (moved && stream.next !== undefined) {
        const frameOrder = frameOrderOf(stream.next);
        if (frameOrder > upTo) return true;
        this.context.watch?.reach(frameOrder);
      }
      if (this.#skipReason !== undefined) this.#emitter.skipBytes(stream, stream.end - stream.start);
      const { isSearching, needed } = this.#sync;
      const length = stream.end - stream.start;
      const final = stream.ended || stream.gap !== undefined;
      if (length === 0) {
        const { gap } = stream;
        if (gap === undefined) return moved;
        const isDissected = this.#skipReason === undefined;
        if (isDissected) this.#emitter.endSkipped(this.#sync.why);
        this.#emitter.skipGap(stream, isDissected);
        if (isDissected) this.#follow(this.#sync.afterGap(gap.length));
        moved = true;
      } else if (length < (isSearching ? needed : (this.#retry?.needed ?? 0)) && !final) return moved;
      else if (isSearching ? !this.#search(final) : !this.#step(length, final)) return moved;
      else moved = true;
    }
  }

  /**
   * Dissects a datagram, whose end is the end of its messages. `finish` and `renew` have to follow, in this order.
   *
   * @param dropped number of earlier datagrams that could not be kept until the protocol was known
   */
  datagram(dropped: number): void {
    this.stream.ended = true;
    if (dropped > 0) {
      this.#sync.remark = `not dissected before it: ${counted(dropped, "datagram")}; no more were kept until one showed the protocol`;
    }
    expectNoPromise(this.session.analyzer.datagram?.(this.direction), "datagram()");
    this.run();
  }

  /** Starts over, as for the next datagram, which no earlier error concerns. */
  renew(): void {
    this.stream.renew();
    this.#skipReason = undefined;
    this.#retry = undefined;
    this.#sync.synchronised();
  }

  /** Ends the direction after an error in the dissector or in this program. */
  crashed(): void {
    const { name } = this.session.recognisedBy;
    this.#giveUp(skipped("unknown", `no longer dissected after an error in the dissector "${name}"`));
  }

  /** Ends the direction with its conversation: what is left was waiting for something that never came. */
  finish(): void {
    const stream = this.stream;
    const why = this.#skipReason ?? this.#sync.why;
    while (stream.end > stream.start || stream.gap !== undefined) {
      this.#emitter.skipBytes(stream, stream.end - stream.start);
      this.#emitter.skipGap(stream, this.#skipReason === undefined);
    }
    this.#emitter.endSkipped(why);
    this.#account();
  }

  /** Carries out the dissector's next step; false if the direction has to wait. */
  #step(length: number, final: boolean): boolean {
    const stream = this.stream;
    const { analyzer, isTrusted } = this.session;
    const given = analyzer.next(this.direction, stream);
    const step = isTrusted ? given : checkedStep(given);
    switch (step.step) {
      case "wait":
        this.#retry = undefined;
        if (stream.held <= this.context.limits.undecidedBytes) return false;
        this.#giveUp(OTHER_MISSING);
        return true;
      case "more":
        if (!final) {
          this.#wait(Math.max(step.bytes, length + 1), length);
          return false;
        }
        this.#emitter.skipBytes(stream, length);
        this.#emitter.endSkipped(brokenOff(stream.gap === undefined ? "the stream ends" : "a gap follows"));
        return true;
      case "search":
        if (this.#sync.remark !== "")
          throw new TypeError("next() asks for a search where a search has found a message");
        this.#follow(this.#sync.requestSearch());
        return true;
      case "encrypted":
        this.#giveUp({ name: "encrypted", status: "encrypted", reason: step.reason });
        return true;
      case "foreign":
        this.#giveUp(skipped("unknown", step.reason), "foreign");
        return true;
      case "unknown":
      case "malformed":
        return this.#headOnly(step, final);
      case "message":
        return this.#message(step.type, step.length, final);
    }
  }

  /** Decodes the next message and passes it on; false if it has to wait for more bytes. */
  #message(type: StructType<unknown>, exact: number | undefined, final: boolean): boolean {
    const decoder = this.#decoder();
    const stream = this.stream;
    const isDatagram = this.session.conversation.transport === "udp";
    const trouble = decodeMessage(decoder, type, stream, exact, final, isDatagram);
    if (trouble === "more") {
      this.#wait(exact ?? decoder.needed, exact === undefined ? stream.end - stream.start : 0);
      return false;
    }

    this.#retry = undefined;
    const { consumed } = decoder;
    if (!Number.isInteger(consumed) || consumed < 1) {
      throw new RangeError(`${type.struct.name} takes ${counted(consumed, "byte")}: a message takes at least one`);
    }
    const remark = this.#sync.takeRemark();
    this.#emitter.message(stream, type, trouble, remark);
    // A message found by a search is not certain enough to derive the number of missing bytes from it.
    if (trouble?.length !== undefined && remark === "") this.#sync.expectEnd(stream.offset + trouble.length);
    stream.consume(consumed);
    if (trouble?.status === "malformed") this.#follow(this.#sync.loseSyncAfter(type.struct.name, trouble));
    else if (trouble !== undefined && stream.end > stream.start) {
      this.#emitter.skipBytes(stream, stream.end - stream.start);
      this.#emitter.endSkipped(skipped("truncated", `part of ${type.struct.name}, which is incomplete`));
    }
    return true;
  }

  /** Handles a message that cannot be dissected: passes on its head, then skips the rest of it, as far as known. */
  #headOnly(headed: Headed, final: boolean): boolean {
    const { step, head, name, length = Number.POSITIVE_INFINITY } = headed;
    const decoder = this.#decoder();
    const stream = this.stream;
    const { bytes, view, start } = stream;
    const end = start + length;
    const endIsKnown = length <= this.context.limits.messageBytes;
    if (endIsKnown && end > stream.end && !final) {
      this.#wait(length, 0);
      return false;
    }
    const window = { bytes, view, start, end: Math.min(end, stream.end) };
    decoder.decode(head, window, endIsKnown ? Extent.Head : Extent.Cut);
    this.#retry = undefined;
    const { consumed } = decoder;
    this.#emitter.head(stream, headed);
    if (endIsKnown && length > consumed) this.#sync.expectEnd(stream.offset + length);
    stream.consume(consumed);
    if (endIsKnown) return true;
    const why = "whose end is not known";
    // After a head of no bytes, the same one could be found forever.
    if (consumed < 1) this.#giveUp(skipped(step, `no message can be found after ${name}, ${why}`));
    else this.#follow(this.#sync.loseSyncAfter(name, { status: step, why }));
    return true;
  }

  /** Notes that `length` bytes were examined, and turned out to be part of a message that takes `needed`. */
  #wait(needed: number, length: number): void {
    this.#retry ??= new RetryThreshold();
    this.#retry.wait(needed, length);
  }

  /** Gives up the direction: nothing can be dissected from here on. */
  #giveUp(why: SkipReason, abandonment: "given up" | "foreign" = "given up"): void {
    this.#skipReason = why;
    this.stream.abandon(abandonment);
  }

  /** Goes on as the synchronisation says; it gives a reason if no message can be found. */
  #follow(hopeless: SkipReason | undefined): void {
    this.#retry = undefined;
    if (hopeless !== undefined) this.#giveUp(hopeless);
  }

  /** Searches for the next message; false if that takes more bytes. */
  #search(final: boolean): boolean {
    const { abandoned } = this.stream;
    if (abandoned === undefined) return this.#sync.search(final);
    const isOfAll = abandoned === "gaps of all too long";
    this.#giveUp(isOfAll ? gapsOfAllTooLong() : gapsTooLong(this.context.limits.cipherSkip));
    return true;
  }

  /** The decoder, set up for the conversation. */
  #decoder(): Decoder {
    return decoderFor(this.session, this.context.decoder);
  }
}
