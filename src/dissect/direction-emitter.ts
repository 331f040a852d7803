import type { MessagePlace, Step } from "../dissector/dissector.js";
import { expectNoPromise } from "../dissector/promise-check.js";
import type { Direction } from "../network/conversation.js";
import type { Decoder } from "../schema/decode/decode.js";
import { Extent } from "../schema/decode/window.js";
import { viewOf } from "../schema/language/byte-source.js";
import type { AnsweredBy } from "../schema/language/message-context.js";
import { worse } from "../schema/language/outcome.js";
import type { StructType } from "../schema/language/struct.js";
import type { RecognisedSession } from "../session/session.js";
import type { DirectionStream } from "../session/stream/direction-stream.js";
import { checksumNotes } from "./checksum-notes.js";
import { decoderFor, type Trouble } from "./decode-message.js";
import { learnNames } from "./learn-names.js";
import type { Dissected, MessageListener } from "./message.js";
import { messageNotes } from "./message-notes.js";
import type { OrderWatch } from "./order/order-watch.js";
import { checkedAssembled, checkRemarks } from "./step-check.js";
import { gapReport, latest, type RangeReport, SkippedRange, type SkipReason } from "./sync/skipped-range.js";

/** A message of which only the head can be dissected. */
export type Headed = Step & { readonly step: "unknown" | "malformed" };

/** What the emitters of all directions share. */
export interface EmitterContext {
  readonly listener: MessageListener | undefined;
  readonly decoder: Decoder;
  /** What answers the message of a number, where a first pass has shown it. */
  readonly answeredBy?: ((number: number) => AnsweredBy | undefined) | undefined;
  /** Follows the order of messages, for one of several threads. */
  readonly watch: OrderWatch | undefined;
  /** Number of the next message. */
  nextNumber: number;
}

/**
 * Passes on the messages of one direction once they are decoded, and the ranges between them, each with its number and
 * origin. Before that, it learns names from a message and tells the dissector; after that, it asks what the message has
 * completed.
 */
export class DirectionEmitter {
  /** What is being skipped without being dissected; created with its first bytes. */
  #skipped: SkippedRange | undefined;

  constructor(
    readonly session: RecognisedSession,
    readonly direction: Direction,
    readonly context: EmitterContext,
  ) {}

  /** Returns where the next `length` bytes of the stream come from, and the number of the message that they make. */
  messagePlace(stream: DirectionStream, length: number): MessagePlace {
    const number = this.context.nextNumber;
    const only = stream.soleOrigin(length);
    if (only !== undefined) return { number, origin: only, frames: [only.frame] };
    const origins = stream.originsOf(length);
    // Parts of one frame may be apart, if another frame had the bytes between them.
    const frames = new Set(origins.map(({ frame }) => frame));
    return { number, origin: latest(origins), frames: [...frames] };
  }

  /** Emits a message or, without nodes, a range: gives it the next number and passes it on. */
  emit(place: MessagePlace, dissected: Dissected): void {
    const { context, direction } = this;
    const { conversation, analyzer } = this.session;
    const { number, origin, frames } = place;
    context.nextNumber = number + 1;
    context.watch?.emits();
    const { listener } = context;
    if (listener === undefined) return;
    const { protocol } = analyzer;
    const { name, status, nodes, offset, length, notes } = dissected;
    // A literal is made in one go; a class sets each of its fields twice.
    listener({ number, origin, frames, conversation, direction, protocol, name, status, nodes, offset, length, notes });
  }

  /**
   * Passes on the message that the decoder has made of the next bytes of the stream, and what that message completes.
   *
   * @param trouble what keeps the message from being complete or sound, if anything
   * @param remark a further remark on it; usually empty
   */
  message(stream: DirectionStream, type: StructType<unknown>, trouble: Trouble | undefined, remark: string): void {
    const { session, direction } = this;
    const { nodes, consumed } = this.context.decoder;
    const { offset } = stream;
    learnNames(nodes, session.names);
    const place = this.messagePlace(stream, consumed);
    stream.announce(consumed);
    const told: unknown = session.analyzer.decoded?.(direction, type, nodes, place);
    if (!session.isTrusted) {
      expectNoPromise(told, "decoded()");
      checkRemarks(nodes);
    }
    const answeredBy = this.context.answeredBy?.(place.number);
    if (answeredBy !== undefined) nodes.context = { ...nodes.context, answeredBy };
    let notes = messageNotes(nodes);
    if (remark !== "") notes = [{ severity: "note", path: "", text: remark }, ...notes];
    // The decoder's own notes say more.
    if (trouble !== undefined && trouble.text !== "" && nodes.outcome !== trouble.status) {
      notes = [...notes, { severity: "error", path: "", text: trouble.text }];
    }
    if (stream.hasChecksums) notes = [...notes, ...checksumNotes(stream, consumed)];
    const status = trouble === undefined ? nodes.outcome : worse(nodes.outcome, trouble.status);
    this.emit(place, { name: type.struct.name, status, nodes, offset, length: consumed, notes });
    this.#assembled(place, offset);
  }

  /** Passes on the head of a message that cannot be dissected any further. */
  head(stream: DirectionStream, { step, name, reason }: Headed): void {
    const { nodes, consumed } = this.context.decoder;
    const severity = step === "malformed" ? "error" : "warning";
    const onPackets = stream.hasChecksums ? checksumNotes(stream, consumed) : [];
    const notes = [...messageNotes(nodes), { severity, path: "", text: reason } as const, ...onPackets];
    const place = this.messagePlace(stream, consumed);
    const status = worse(nodes.outcome, step);
    this.emit(place, { name, status, nodes, offset: stream.offset, length: consumed, notes });
  }

  /** Passes on what the last message has completed, as a message of its own. */
  #assembled({ origin }: MessagePlace, offset: number): void {
    const { session, direction, context } = this;
    const assembled = session.analyzer.assembled?.(direction);
    if (assembled === undefined) return;
    const { type, bytes, parts } = checkedAssembled(assembled);
    const decoder = decoderFor(session, this.context.decoder);
    decoder.decode(type, { bytes, view: viewOf(bytes), start: 0, end: bytes.length }, Extent.Exact, "assembled");
    const { nodes } = decoder;
    learnNames(nodes, session.names);
    const frames = [...new Set(parts.flatMap((part) => part.frames))];
    const place = { number: context.nextNumber, origin, frames };
    const notes = messageNotes(nodes);
    const { name } = type.struct;
    this.emit(place, { name, status: nodes.outcome, nodes, offset, length: bytes.length, notes });
  }

  /** Skips bytes that cannot be dissected. */
  skipBytes(stream: DirectionStream, length: number): void {
    if (length === 0) return;
    this.#skipped ??= new SkippedRange();
    this.#skipped.bytes(stream.offset, length, stream.originsOf(length));
    stream.skipBytes(length);
  }

  /** Skips the gap at the current place, if there is one. */
  skipGap(stream: DirectionStream, isDissected: boolean): void {
    const { gap } = stream;
    if (gap === undefined) return;
    const [origin] = stream.originsOf(1);
    // Skipped first, so that the direction has moved even if an error happens further on.
    stream.skipGap();
    if (origin === undefined) return;
    // A capture with a snap length has a gap in every packet: once nothing is dissected any more, one is enough.
    if (!isDissected) this.#skipped ??= new SkippedRange();
    if (isDissected || this.#skipped?.gap(gap, origin)) this.#report(gapReport(gap, origin));
  }

  /** Reports the range that ends here, if anything was skipped. */
  endSkipped(why: SkipReason): void {
    const report = this.#skipped?.report(why);
    this.#skipped = undefined;
    if (report !== undefined) this.#report(report);
  }

  #report({ name, status, offset, length, origin, frames, text }: RangeReport): void {
    const place = { number: this.context.nextNumber, origin, frames };
    const note = { severity: "warning", path: "", text } as const;
    this.emit(place, { name, status, nodes: undefined, offset, length, notes: [note] });
  }
}
