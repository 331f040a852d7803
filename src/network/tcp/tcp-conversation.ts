import type { Packet } from "../../capture/packet.js";
import type { Direction, Origin } from "../conversation.js";
import type { Beginning, Side, SideKey } from "../tracked-conversation.js";
import type { GracePeriods } from "./grace-periods.js";
import { type SuspendedSegment, sequenceLength, suspend } from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";
import type { TcpReset } from "./tcp-reset.js";
import { TcpStreams, type TcpStreamsContext } from "./tcp-streams.js";

/** What all TCP conversations of a run share. */
export interface TcpContext extends TcpStreamsContext {
  /** For connections that were reset: what follows may show that the RST was ignored. */
  readonly resets: GracePeriods;
  /** Called when a grace period is over: the connection may have ended without a packet of its own. */
  readonly settled: (conversation: TcpConversation) => void;
}

/**
 * A TCP connection: its streams, and when it is over. An RST has ended it unless what comes afterwards shows that it was
 * ignored, for which there is some time.
 *
 * It is one object in four levels, each of which can be read without the ones after it: `TrackedConversation` counts, and
 * serves UDP as well; `TcpDelivery` passes on what the streams hand over; `TcpStreams` says what each segment means for
 * them; this one says whether the connection is over. They are levels and not parts as each adds to the same answers
 * (`unacceptedFrom`, `endedBy`); parts would have to listen to each other.
 */
export class TcpConversation extends TcpStreams {
  readonly #context: TcpContext;
  /** The connection before between the same ports, if an RST has ended it whose payload is in no stream. */
  previous: TcpConversation | undefined;

  constructor(beginning: Beginning, context: TcpContext) {
    super(beginning, context);
    this.#context = context;
  }

  /** Whether something is still expected. */
  get #waits(): boolean {
    return this.streams.some(({ waits }) => waits) || this.unseen.hasAnswers;
  }

  override get endedBy(): Direction | undefined {
    const side = this.isReset ? this.reset?.side : this.finSide;
    return side === undefined ? undefined : this.directionFrom(side);
  }

  /** Why the connection is over, if it is. */
  get over(): "fin" | "rst" | undefined {
    // What was sent before a reset may still be on its way into the capture.
    if (this.isReset) return this.reset?.isBelieved === true && !this.#waits ? "rst" : undefined;
    return this.streams[0].finished && this.streams[1].finished ? "fin" : undefined;
  }

  /**
   * Takes a segment sent by a side.
   * @param data the bytes that the segment's offsets refer to.
   * @param origin called only for a segment with data or a FIN, or after an RST.
   */
  receive(side: Side, segment: TcpSegment, data: Uint8Array, packet: Packet, origin: (packet: Packet) => Origin): void {
    const isRst = (segment.flags & TcpFlag.rst) !== 0;
    const reset = this.reset;
    if (reset !== undefined && this.isReset && !this.#waits) {
      // A further RST may say what was received before, but not that the connection is alive.
      const goesOn = isRst
        ? reset.isContradictedBy(side, segment, this.#context.limits.resetWindow)
        : this.membership.survives(side, segment);
      if (goesOn) this.#goOn(reset, side, segment, packet);
      else if (!reset.hadReceived(side, segment)) {
        if (sequenceLength(segment) > 0) this.#suspend(reset, suspend(side, segment, data, origin(packet)));
        if (!isRst) return;
      }
    }
    this.take(side, segment, data, packet, origin);
    if (this.reset !== undefined && this.isReset) this.#awaitContradiction(this.reset, packet);
  }

  /** Keeps a segment that came after an RST, if there is room. */
  #suspend(reset: TcpReset, suspended: SuspendedSegment): void {
    const limit = reset.keep(suspended);
    if (limit === undefined) return;
    this.#context.queued.reached?.(limit);
    this.leaveOut([suspended]);
  }

  /** Takes what came after an RST that was ignored. */
  #goOn(reset: TcpReset, side: Side, segment: TcpSegment, packet: Packet): void {
    // An acknowledgment that was sent before the RST may be captured after it: then only what it acknowledges counts.
    const isRst = (segment.flags & TcpFlag.rst) !== 0;
    const isBare = side === reset.side && sequenceLength(segment) === 0;
    if (!isRst && !isBare) this.reset = undefined;
    for (const stream of this.streams) stream.resume();
    for (const { side: sender, segment, payload, origin } of reset.takeAll()) {
      if ((segment.flags & TcpFlag.rst) === 0) this.take(sender, segment, payload, packet, () => origin);
    }
  }

  /** Gives what precedes an RST the time to come, and then what follows it the time to show that it was ignored. */
  #awaitContradiction(reset: TcpReset, packet: Packet): void {
    const ifStanding = (settle: () => void): void => {
      if (this.reset === reset) this.settle(settle);
    };
    if (!this.#waits) {
      if (reset.isAwaited) return;
      reset.isAwaited = true;
      this.#context.resets.add(packet, () => ifStanding(() => this.flush()));
    } else if (!reset.isEarly) {
      reset.isEarly = true;
      this.#context.unseen.add(packet, (now) => {
        ifStanding(() => this.flushStreams());
        if (this.reset === reset) this.#awaitContradiction(reset, now);
      });
    }
  }

  /** Does what the end of a grace period makes necessary, if the connection is still open. */
  override settle(action: () => void): void {
    if (!this.open) return;
    action();
    this.#context.settled(this);
  }

  /** Whether the payload of the RST that has ended it counts as text for people. */
  get hasResetText(): boolean {
    return this.reset !== undefined && this.reset.payload > 0 && !this.reset.isData;
  }

  /**
   * Counts the payload of the RST that has ended it if a segment of the next connection goes on from it.
   * @returns number of bytes that were counted.
   */
  countResetData(sender: SideKey, segment: TcpSegment): number {
    const { reset } = this;
    if (reset?.isContinuedBy(this.sides[0].equals(sender) ? 0 : 1, segment) !== true) return 0;
    return this.#countAsData(reset);
  }

  #countAsData(reset: TcpReset): number {
    reset.isData = true;
    this.addLate(reset.side, reset.payload);
    return reset.payload;
  }

  /** Hands over what is waiting: nothing more will come. */
  flush(): void {
    this.flushStreams();
    this.drop(this.membership.attempts.takeAll());
    const reset = this.reset;
    if (reset === undefined) return;
    reset.isBelieved = true;
    if (reset.hasData) this.#countAsData(reset);
    this.leaveOut(reset.takeData());
    // Nor will bytes that precede a reset, even where only the reset shows that they are missing.
    if (!this.isReset && this.over === undefined && this.streams[reset.side].ahead(reset.sequence) > 0) {
      this.reset = reset.inPlace();
      this.reset.isBelieved = true;
    }
  }
}
