import type { LimitName } from "../../limits.js";
import { otherSide, type Side } from "../tracked-conversation.js";
import { SentSince } from "./sent-since.js";
import { payloadLength, type SuspendedSegment, type SuspendedSegments, sequenceLength } from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";

/**
 * An RST. It has ended its connection unless what comes afterwards is acknowledged: then its receiver has ignored it, for
 * example because its checksum was wrong or a third party had forged it.
 */
export class TcpReset {
  /** Whether it was captured before something that precedes it, which is given time to come. */
  isEarly = false;
  /** Whether the time has begun in which it may turn out to have been ignored, and whether that is over. */
  isAwaited = false;
  isBelieved = false;
  /** Whether its payload has turned out to be data of the stream, and has been counted. */
  isData = false;
  /** The number up to which its sender had received the other side, if nothing of that had been captured by then. */
  received: number | undefined;
  /** What each side has sent since. */
  #sent: [SentSince | undefined, SentSince | undefined] = [undefined, undefined];

  /**
   * @param side the sender.
   * @param sequence its number.
   * @param isInPlace whether it came exactly where the connection was; else it was captured before what precedes it, or
   * is forged.
   * @param payload number of its payload bytes.
   * @param afterwards keeps what comes since.
   */
  constructor(
    readonly side: Side,
    readonly sequence: number,
    readonly isInPlace: boolean,
    readonly payload: number,
    readonly afterwards: SuspendedSegments,
  ) {}

  /** Keeps a segment that has come since; returns the limit that leaves no room for it. */
  keep(suspended: SuspendedSegment): LimitName | undefined {
    const limit = this.afterwards.keep(suspended);
    if (limit === undefined) this.#sentBy(suspended.side).add(suspended.segment);
    return limit;
  }

  #sentBy(side: Side): SentSince {
    const sent = this.#sent[side] ?? new SentSince();
    this.#sent[side] = sent;
    return sent;
  }

  /** Takes out what has come since. */
  takeAll(): readonly SuspendedSegment[] {
    this.#sent = [undefined, undefined];
    return this.afterwards.takeAll();
  }

  /** Whether its side has sent something since that goes on from its payload: then that was data, not text for people. */
  get hasData(): boolean {
    return this.payload > 0 && this.#has(this.side, this.sequence + this.payload);
  }

  /** Takes out what has come since, without the text of further RSTs. */
  takeData(): readonly SuspendedSegment[] {
    const data = this.afterwards.all.filter(({ side, segment }) => {
      return (segment.flags & TcpFlag.rst) === 0 || this.#has(side, segment.sequence + payloadLength(segment));
    });
    this.takeAll();
    return data;
  }

  /** Whether a segment goes on from its payload. */
  isContinuedBy(side: Side, { sequence }: Readonly<TcpSegment>): boolean {
    return this.payload > 0 && side === this.side && sequence === ((this.sequence + this.payload) | 0);
  }

  /** Whether a segment acknowledges what the other side has sent since. */
  isContradictedBy(side: Side, { flags, acknowledgment }: TcpSegment, window: number): boolean {
    if ((flags & TcpFlag.ack) === 0) return false;
    return this.#sent[otherSide(side)]?.isAcknowledgedBy(acknowledgment, window) === true;
  }

  /** Whether its sender had received a segment that is captured only now. */
  hadReceived(side: Side, segment: Readonly<TcpSegment>): boolean {
    if (this.received === undefined || side === this.side) return false;
    return ((this.received - segment.sequence - sequenceLength(segment)) | 0) >= 0;
  }

  /** Whether a segment has come since already, as far as its side and number tell. */
  isRepeatedBy(side: Side, { sequence }: TcpSegment): boolean {
    return this.#has(side, sequence);
  }

  /** Whether a side has sent a segment with this number since. */
  #has(side: Side, sequence: number): boolean {
    return this.#sent[side]?.has(sequence | 0) === true;
  }

  /** The number after the last one that a side has sent since, if that goes on from the given one. */
  nextOf(side: Side, next: number): number {
    return this.#sent[side]?.nextFrom(next) ?? next;
  }

  /** The same one, if nothing that precedes it will come any more. */
  inPlace(): TcpReset {
    const reset = new TcpReset(this.side, this.sequence, true, this.payload, this.afterwards);
    reset.received = this.received;
    return reset;
  }
}
