import type { Side } from "../tracked-conversation.js";
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

  /**
   * @param side the sender.
   * @param sequence its number.
   * @param isInPlace whether it came exactly where the connection was; else it was captured before what precedes it, or
   * is forged.
   * @param payload number of its payload bytes.
   * @param afterwards what has come since.
   */
  constructor(
    readonly side: Side,
    readonly sequence: number,
    readonly isInPlace: boolean,
    readonly payload: number,
    readonly afterwards: SuspendedSegments,
  ) {}

  /** Whether its side has sent something since that goes on from its payload: then that was data, not text for people. */
  get hasData(): boolean {
    return this.afterwards.all.some(({ side, segment }) => this.isContinuedBy(side, segment));
  }

  /** Takes out what has come since, without the text of further RSTs. */
  takeData(): readonly SuspendedSegment[] {
    const all = this.afterwards.takeAll();
    return all.filter(({ side, segment }) => {
      if ((segment.flags & TcpFlag.rst) === 0) return true;
      const end = (segment.sequence + payloadLength(segment)) | 0;
      return all.some((later) => later.side === side && later.segment.sequence === end);
    });
  }

  /** Whether a segment goes on from its payload. */
  isContinuedBy(side: Side, { sequence }: Readonly<TcpSegment>): boolean {
    return this.payload > 0 && side === this.side && sequence === ((this.sequence + this.payload) | 0);
  }

  /** Whether a segment acknowledges what the other side has sent since. */
  isContradictedBy(side: Side, { flags, acknowledgment }: TcpSegment, window: number): boolean {
    if ((flags & TcpFlag.ack) === 0) return false;
    return this.afterwards.all.some(({ side: sender, segment }) => {
      const beyond = (acknowledgment - segment.sequence) | 0;
      return sender !== side && beyond >= sequenceLength(segment) && beyond > 0 && beyond <= window;
    });
  }

  /** Whether a segment has come since already, as far as its side and number tell. */
  isRepeatedBy(side: Side, { sequence }: TcpSegment): boolean {
    return this.afterwards.all.some((later) => later.side === side && later.segment.sequence === sequence);
  }

  /** The number after the last one that a side has sent since, if that goes on from the given one. */
  nextOf(side: Side, next: number): number {
    return this.afterwards.all.reduce((end, { side: sender, segment }) => {
      // A SYN after an RST is no part of the connection.
      const isSyn = (segment.flags & TcpFlag.syn) !== 0;
      if (sender !== side || isSyn || ((segment.sequence - end) | 0) > 0) return end;
      const own = (segment.sequence + sequenceLength(segment)) | 0;
      return ((own - end) | 0) > 0 ? own : end;
    }, next);
  }
}
