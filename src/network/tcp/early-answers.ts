import type { Reassembler } from "./stream/reassembly.js";
import {
  payloadSequence,
  type SuspendedSegment,
  type SuspendedSegments,
  sequenceLength,
} from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";

/**
 * Segments of one side that acknowledge bytes which have not been seen, but may be captured after them, and what follows
 * them: a recorder with several queues, or a mirror port, mixes up the order of the two directions. They wait for these
 * bytes, so that no answer precedes what it answers.
 */
export class EarlyAnswers {
  /**
   * @param own the stream of the side, and `peer` the one that it acknowledges.
   * @param waiting where the segments are kept.
   * @param outOfOrder called for a segment with the number of bytes of it that are passed on later.
   */
  constructor(
    readonly own: Reassembler,
    readonly peer: Reassembler,
    readonly waiting: SuspendedSegments,
    readonly outOfOrder: (length: number, segment: SuspendedSegment) => void,
  ) {}

  get isEmpty(): boolean {
    return this.waiting.all.length === 0;
  }

  /** Whether a segment has to wait. */
  awaits(segment: Readonly<TcpSegment>): boolean {
    const { own } = this;
    const last = this.waiting.all.at(-1);
    if (last !== undefined) return own.ahead(segment.sequence) <= own.ahead(endOf(last));
    return own.ahead(segment.sequence) === 0 && this.#isUnseen(segment);
  }

  /** Keeps a segment until what it acknowledges has come; false if there is no room. */
  keep(suspended: SuspendedSegment): boolean {
    const { own } = this;
    const last = this.waiting.all.at(-1);
    const known = last === undefined ? 0 : own.ahead(endOf(last));
    if (this.waiting.keep(suspended) !== undefined) {
      this.takeAll();
      return false;
    }
    const fresh = Math.min(suspended.payload.length, own.ahead(endOf(suspended)) - suspended.segment.missing - known);
    if (fresh > 0) this.outOfOrder(fresh, suspended);
    return true;
  }

  /** Passes on the segments whose time has come, now that a frame has brought bytes of the other side. */
  take(frame: number): void {
    for (let first = this.waiting.all[0]; first !== undefined; first = this.waiting.all[0]) {
      if (this.#isUnseen(first.segment)) return;
      if (frame > first.origin.frame) first.origin.after = frame;
      this.#takeFirst();
    }
  }

  /** Passes on all: what they acknowledge does not come any more. */
  takeAll(): void {
    while (!this.isEmpty) this.#takeFirst();
  }

  /** Whether bytes that a segment acknowledges may still come. */
  #isUnseen(segment: Readonly<TcpSegment>): boolean {
    const { peer } = this;
    if ((segment.flags & TcpFlag.ack) === 0 || peer.isLosing || !peer.awaitsUnseen) return false;
    return peer.acknowledgedUnseen !== undefined && peer.ahead(segment.acknowledgment) > 0;
  }

  #takeFirst(): void {
    const first = this.waiting.takeFirst();
    if (first === undefined) return;
    const { segment, payload, origin } = first;
    const isFin = (segment.flags & TcpFlag.fin) !== 0;
    this.own.segment(payloadSequence(segment), payload, segment.missing, isFin, origin);
  }
}

/** The number after a segment. */
function endOf({ segment }: SuspendedSegment): number {
  return (segment.sequence + sequenceLength(segment)) | 0;
}
