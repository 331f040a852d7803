import type { Side } from "../tracked-conversation.js";
import { type SuspendedSegment, sequenceLength } from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";

/** Repetitions of a SYN that are kept; more say nothing new. */
const MOST_REPEATED = 8;

/**
 * A SYN or SYN-ACK that does not fit the connection between its ports: it opens another one, if it is answered. A
 * receiver whose connection is alive answers with a challenge ACK and goes on (RFC 5961, section 4.2).
 */
export class TcpAttempt {
  /** The SYN and its repetitions. */
  readonly segments: SuspendedSegment[];
  readonly #first: SuspendedSegment;

  constructor(first: SuspendedSegment) {
    this.#first = first;
    this.segments = [first];
  }

  /** The side that tries. */
  get side(): Side {
    return this.#first.side;
  }

  /** The number after its SYN. */
  get next(): number {
    const { segment } = this.#first;
    return (segment.sequence + sequenceLength(segment)) | 0;
  }

  /** The number that a SYN-ACK acknowledges; undefined for a SYN. */
  get acknowledgment(): number | undefined {
    const { flags, acknowledgment } = this.#first.segment;
    return (flags & TcpFlag.ack) === 0 ? undefined : acknowledgment;
  }

  /** Whether a segment is the same SYN once more. */
  isRepeatedBy(side: Side, { flags, sequence }: TcpSegment): boolean {
    const { segment } = this.#first;
    return side === this.side && (flags & TcpFlag.syn) !== 0 && sequence === segment.sequence;
  }

  repeat(segment: SuspendedSegment): void {
    if (this.segments.length < MOST_REPEATED) this.segments.push(segment);
  }

  /** Whether a SYN-ACK of the other side answers. */
  isAnsweredBy(side: Side, { flags, acknowledgment }: TcpSegment): boolean {
    if (side === this.side || (flags & TcpFlag.ack) === 0) return false;
    // Data in the SYN need not be accepted (RFC 7413, section 4.2).
    const { sequence } = this.#first.segment;
    return acknowledgment === this.next || acknowledgment === ((sequence + 1) | 0);
  }

  /**
   * Whether a segment without SYN goes on from the attempt.
   * @param window how far its numbers may be ahead.
   */
  isContinuedBy(side: Side, { flags, sequence, acknowledgment }: TcpSegment, window: number): boolean {
    const acknowledges = (flags & TcpFlag.ack) !== 0;
    const { segment } = this.#first;
    const begin = (segment.sequence + 1) | 0;
    const ownAcknowledgment = this.acknowledgment;
    if (side === this.side) {
      if (!isWithin(sequence, begin, window)) return false;
      return ownAcknowledgment === undefined || (acknowledges && isWithin(acknowledgment, ownAcknowledgment, window));
    }
    if (!acknowledges || !isWithin(acknowledgment, begin, window)) return false;
    return ownAcknowledgment === undefined || isWithin(sequence, ownAcknowledgment, window);
  }

  /** Whether it does so with the very next numbers. */
  isExactlyContinuedBy(side: Side, { flags, sequence, acknowledgment }: TcpSegment): boolean {
    if (side === this.side) return sequence === this.next;
    const isFirst = this.acknowledgment === undefined || sequence === this.acknowledgment;
    return isFirst && (flags & TcpFlag.ack) !== 0 && acknowledgment === this.next;
  }
}

/** What may open the next connection between two ports: one attempt at a time. */
export class TcpAttempts {
  current: TcpAttempt | undefined;

  /** Keeps a SYN; returns those of another attempt, which has come to nothing. */
  keep(syn: SuspendedSegment): readonly SuspendedSegment[] {
    if (this.current?.isRepeatedBy(syn.side, syn.segment) === true) {
      this.current.repeat(syn);
      return [];
    }
    const before = this.takeAll();
    this.current = new TcpAttempt(syn);
    return before;
  }

  /** Takes out the SYNs that the given segment belongs to. */
  takeFor(side: Side, segment: TcpSegment, window: number): readonly SuspendedSegment[] {
    const { current } = this;
    const isOfAttempt =
      current?.isRepeatedBy(side, segment) === true ||
      current?.isAnsweredBy(side, segment) === true ||
      current?.isContinuedBy(side, segment, window) === true;
    return isOfAttempt ? this.takeAll() : [];
  }

  /** Takes out the SYNs: nothing has come of them. */
  takeAll(): readonly SuspendedSegment[] {
    const { current } = this;
    this.current = undefined;
    return current?.segments ?? [];
  }
}

function isWithin(sequence: number, begin: number, window: number): boolean {
  const distance = (sequence - begin) | 0;
  return distance >= 0 && distance <= window;
}
