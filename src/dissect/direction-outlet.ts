import type { Direction } from "../network/conversation.js";
import type { DirectionStream } from "../session/direction-stream.js";
import type { MessagePlace } from "../session/dissector.js";
import type { RecognisedSession } from "../session/session.js";
import type { Dissected, MessageListener } from "./message.js";
import { gapReport, latest, type Opaque, Stretch, type StretchReport } from "./stretch.js";

/** What the outlets of all directions share: the listener, and the running number. */
export interface OutletContext {
  readonly listener: MessageListener | undefined;
  /** Number of the next message. */
  nextNumber: number;
}

/**
 * Hands on what one direction brings, with its number and where it is from: messages, and stretches that are no
 * messages.
 */
export class DirectionOutlet {
  /** What goes by without being dissected; made with the first of it. */
  #stretch: Stretch | undefined;

  constructor(
    readonly session: RecognisedSession,
    readonly direction: Direction,
    readonly context: OutletContext,
  ) {}

  /** Where the next `length` bytes of the stream are from, and the number that a message of them has. */
  placeOf(stream: DirectionStream, length: number): MessagePlace {
    const number = this.context.nextNumber;
    const only = stream.soleOrigin(length);
    if (only !== undefined) return { number, origin: only, frames: [only.frame] };
    const origins = stream.originsOf(length);
    // Parts of one frame may stand apart, where another frame had the bytes between them.
    const frames = new Set(origins.map(({ frame }) => frame));
    return { number, origin: latest(origins), frames: [...frames] };
  }

  /** Hands on a message, or without nodes a stretch. */
  handOn({ number, origin, frames }: MessagePlace, { name, status, nodes, offset, length, notes }: Dissected): void {
    const { context, direction } = this;
    const { conversation, dissector } = this.session;
    const { protocol } = dissector;
    context.nextNumber = number + 1;
    context.listener?.({
      number,
      origin,
      frames,
      conversation,
      direction,
      protocol,
      name,
      status,
      nodes,
      offset,
      length,
      notes,
    });
  }

  /** Lets bytes go by that cannot be dissected. */
  pass(stream: DirectionStream, length: number): void {
    if (length === 0) return;
    this.#stretch ??= new Stretch();
    this.#stretch.bytes(stream.offset, length, stream.originsOf(length));
    stream.pass(length);
  }

  /** Lets the gap at the current place go by, if there is one. */
  passGap(stream: DirectionStream, isDissected: boolean): void {
    const { gap } = stream;
    if (gap === undefined) return;
    const [origin] = stream.originsOf(1);
    // Passed first: if there is an error on the way out, the direction has moved all the same.
    stream.passGap();
    if (origin === undefined) return;
    // A capture with a snap length has a gap in every packet: where nothing is dissected any more, one of them is
    // enough.
    if (!isDissected) this.#stretch ??= new Stretch();
    if (isDissected || this.#stretch?.gap(gap, origin)) this.#report(gapReport(gap, origin));
  }

  /** Tells of the stretch that ends here, if anything has gone by. */
  endStretch(why: Opaque): void {
    const report = this.#stretch?.report(why);
    this.#stretch = undefined;
    if (report !== undefined) this.#report(report);
  }

  #report({ name, status, offset, length, origin, frames, text }: StretchReport): void {
    const place = { number: this.context.nextNumber, origin, frames };
    const note = { severity: "warning", path: "", text } as const;
    this.handOn(place, { name, status, nodes: undefined, offset, length, notes: [note] });
  }
}
