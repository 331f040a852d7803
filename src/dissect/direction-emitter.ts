import type { MessagePlace } from "../dissector/dissector.js";
import type { Direction } from "../network/conversation.js";
import type { RecognisedSession } from "../session/session.js";
import type { DirectionStream } from "../session/stream/direction-stream.js";
import { type Dissected, type MessageListener, MessageRecord } from "./message.js";
import { gapReport, latest, type RangeReport, SkippedRange, type SkipReason } from "./sync/skipped-range.js";

/** What the emitters of all directions share: the listener and the message counter. */
export interface EmitterContext {
  readonly listener: MessageListener | undefined;
  /** Number of the next message. */
  nextNumber: number;
}

/**
 * Passes on the messages of one direction, and the ranges between them, each with its number and origin.
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
  placeOf(stream: DirectionStream, length: number): MessagePlace {
    const number = this.context.nextNumber;
    const only = stream.soleOrigin(length);
    if (only !== undefined) return { number, origin: only, frames: [only.frame] };
    const origins = stream.originsOf(length);
    // Parts of one frame may be apart, if another frame had the bytes between them.
    const frames = new Set(origins.map(({ frame }) => frame));
    return { number, origin: latest(origins), frames: [...frames] };
  }

  /** Passes on a message or, without nodes, a range. */
  passOn(place: MessagePlace, dissected: Dissected): void {
    const { context, direction } = this;
    const { conversation, dissector } = this.session;
    context.nextNumber = place.number + 1;
    const { protocol } = dissector;
    context.listener?.(new MessageRecord(place, { conversation, direction, protocol }, dissected));
  }

  /** Skips bytes that cannot be dissected. */
  pass(stream: DirectionStream, length: number): void {
    if (length === 0) return;
    this.#skipped ??= new SkippedRange();
    this.#skipped.bytes(stream.offset, length, stream.originsOf(length));
    stream.pass(length);
  }

  /** Skips the gap at the current place, if there is one. */
  passGap(stream: DirectionStream, isDissected: boolean): void {
    const { gap } = stream;
    if (gap === undefined) return;
    const [origin] = stream.originsOf(1);
    // Skipped first, so that the direction has moved even if an error happens further on.
    stream.passGap();
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
    this.passOn(place, { name, status, nodes: undefined, offset, length, notes: [note] });
  }
}
