import type { Origin } from "../../conversation.js";
import { AcceptedStream } from "./accepted-stream.js";
import { FarNumbers, lengthOf, type UnprovenSegment } from "./far-numbers.js";
import { OtherStarts } from "./other-starts.js";

/**
 * Puts one direction of a TCP connection in order. Of bytes that come twice the first arrival counts, as it does for
 * most receivers. Sequence numbers are signed 32-bit numbers of which only differences matter, so wrap-around needs no
 * special care (RFC 9293, section 3.4).
 *
 * What counts is what the receiver accepts, as its acknowledgments show: of several SYNs, the acknowledged one says where
 * the stream begins; a segment far beyond everything else is believed once another one goes on from there.
 *
 * This class finds out where the stream begins, and which numbers are plausible; its base class does the rest. The number
 * of the first byte is the initial sequence number (ISN), which is that of the SYN, plus one. The evidence for it, from
 * the strongest to the weakest:
 *
 * - settled (`isSettled`): bytes have come, or the other side has acknowledged what is stated. Bytes make it final; until
 *   then, a SYN with the very number that was acknowledged replaces it.
 * - stated (`start`): by a SYN, or without one by the first segment with data.
 * - inferred (`inferStart`): only the other side has acknowledged it. A SYN replaces it.
 * - claimed (`OtherStarts.claimed`): an acknowledgment contradicts what is stated or inferred, or a segment without data
 *   has another number (`showStart`). It replaces nothing, but the bytes may begin there.
 */
export class Reassembler extends AcceptedStream {
  #started = false;
  /** Whether the start is inferred: only the other side has said where the stream begins. */
  #isInferred = false;
  /** Whether both sides have said the same, whichever came first. */
  #isAgreed = false;
  readonly #others = new OtherStarts();
  /** ISN + 1. */
  #firstByte = 0;
  /** What is so far beyond everything else that only what follows can show whether it belongs here. */
  #far: FarNumbers | undefined;
  /** Whether the other side has sent a SYN: what comes before the answer to it may be forged. */
  isSynExpected = false;
  /** True while a grace period runs, after which bytes acknowledged by now are no longer expected. */
  awaitsUnseen = false;

  /** Whether the number that the stream begins with is known. */
  get started(): boolean {
    return this.#started;
  }

  /** Whether it is certain where the stream begins: bytes have come, or the other side has acknowledged its SYN. */
  get isSettled(): boolean {
    return this.#started && (!this.untouched || this.#isAgreed || (this.#isStartAcknowledged && !this.#isInferred));
  }

  /** Number of the stream's first byte, ISN + 1; meaningless before `started`. */
  get firstByte(): number {
    return this.#firstByte;
  }

  /** Initial sequence number, which is that of the SYN; meaningless before `started`. */
  get isn(): number {
    return (this.#firstByte - 1) | 0;
  }

  /** The highest number that the other side has acknowledged; undefined unless bytes before it are still missing. */
  get acknowledgedUnseen(): number | undefined {
    const { any, highest } = this.acknowledged;
    const isBehind = this.#started && !this.finished && any && this.ahead(highest) > 0;
    return isBehind && (this.fin.origin === undefined || this.ahead(this.fin.at) > 0) ? highest : undefined;
  }

  /** Whether bytes are waiting beyond a hole, or acknowledged ones may still come. */
  get waits(): boolean {
    return this.bytes.waits || (!this.isFlushing && this.acknowledgedUnseen !== undefined);
  }

  /** Whether the other side expects this number although nothing of the stream has come: so it is no SYN's. */
  expects(sequence: number): boolean {
    return !this.#started && this.acknowledged.any && this.acknowledged.highest === sequence;
  }

  /**
   * States the number of the stream's first byte, as a SYN does; once it is settled, that has an effect only before bytes
   * and with the number that is acknowledged. Several SYNs with different numbers leave it open until then (RFC 9293,
   * section 3.10.7.4).
   */
  start(sequence: number): void {
    if (this.#started) {
      // Who repeats a SYN has not accepted what acknowledged more than that, and has sent nothing more.
      if (this.untouched && !this.#isInferred && this.#firstByte === sequence) this.takeBack(sequence);
      // That the other side has acknowledged a number which only it has named settles nothing.
      const isExact = this.untouched && this.acknowledged.any && this.acknowledged.highest === sequence;
      if (this.isSettled && !isExact) return;
      if (this.#firstByte === sequence) {
        this.#isAgreed = this.#isInferred;
        return;
      }
      this.#others.replace(this.#firstByte, sequence);
    }
    const doubtful = this.#started ? undefined : this.#far?.giveUp();
    this.#started = true;
    this.#isInferred = false;
    this.#begin(sequence);
    if (doubtful !== undefined) {
      this.segment(doubtful.sequence, doubtful.bytes, doubtful.cut, doubtful.fin, doubtful.origin);
    }
  }

  /** Infers that number as long as no SYN states it: the other side has acknowledged it. If others differ, the bytes decide. */
  inferStart(sequence: number): void {
    if (!this.#isStartOpen || (this.#started && this.isNear(sequence, this.#firstByte))) return;
    const first = this.#far?.acknowledge(sequence);
    if (first !== undefined) this.#startWith(first);
    else if (this.#started) this.#others.claim(sequence);
    else {
      this.start(sequence);
      this.#isInferred = true;
    }
  }

  /**
   * Notes the number of a segment without data: as long as nothing else has come, the stream begins nearby. If that is
   * far from the number of a SYN that nobody has acknowledged, the number of one of the two is wrong: it is claimed.
   */
  showStart(sequence: number): void {
    if (this.#started && (this.isSettled || this.isNear(this.#firstByte, sequence))) return;
    if (!this.#others.claimed.some((start) => this.isNear(start, sequence))) this.#others.claim(sequence);
  }

  /** Whether the sender has not said yet where the stream begins, or the other side has contradicted it. */
  get #isStartOpen(): boolean {
    return !this.#started || (!this.isSettled && (this.#isInferred || this.#others.claimed.length > 0));
  }

  #begin(sequence: number): void {
    this.#firstByte = sequence;
    this.beginAt(sequence);
  }

  get #isStartAcknowledged(): boolean {
    const { any, highest } = this.acknowledged;
    const distance = (highest - this.#firstByte) | 0;
    return any && distance >= 0 && distance <= this.limits.resetWindow;
  }

  /** Decides which of several SYNs counts: the one that a number of the stream comes soonest after. */
  #chooseStart(sequence: number, others: readonly number[]): void {
    if (others.length === 0 || !this.untouched) return;
    const distance = (start: number): number => (sequence - start) >>> 0;
    const starts = [this.#firstByte, ...others];
    const start = starts.reduce((best, other) => (distance(other) < distance(best) ? other : best));
    if (!this.#isAfter(sequence, start)) return;
    this.#others.forget();
    this.#begin(start);
  }

  /** Whether `sequence` is a number of a stream that begins with another one, as far as is known. */
  #isAfter(sequence: number, start: number): boolean {
    return (sequence - start) >>> 0 <= this.limits.resetWindow;
  }

  /**
   * Whether `sequence` can be a number of this stream, as far as is known: it was handed over, or is not far beyond
   * everything that has come.
   */
  fits(sequence: number): boolean {
    if (!this.#started) return true;
    if (this.untouched && this.#others.all.some((start) => this.#isAfter(sequence, start))) return true;
    return this.ahead(sequence) <= 0 ? this.covers(sequence) : this.beyondKnown(sequence) <= this.limits.resetWindow;
  }

  /**
   * Takes a segment. Without a SYN before it, the first one defines where the stream begins.
   * @param sequence number of its first byte.
   * @param bytes its captured bytes, copied if they have to wait.
   * @param cut number of bytes after them that the snap length cut.
   */
  segment(sequence: number, bytes: Uint8Array, cut: number, fin: boolean, origin: Origin): void {
    const length = bytes.length + cut;
    if (length === 0 && !fin) return;
    const isBefore =
      this.#started && !this.isSettled && this.ahead(sequence) < 0 && !this.isNear(sequence, this.#firstByte);
    if ((isBefore || this.#isStartOpen) && !this.#startAt({ sequence, bytes, cut, fin, origin })) return;
    if (this.finished) {
      this.refuse(Math.min(length, this.ahead(sequence + length)));
      return;
    }
    if (this.untouched) this.#chooseStart(sequence, this.#others.all);
    if (this.#isFar(sequence)) {
      const segment = { sequence, bytes, cut, fin, origin };
      const before = this.#farNumbers.precede(sequence);
      if (before === undefined) {
        this.refuseAll(this.#farNumbers.keep(segment));
        return;
      }
      this.#believeFar(before);
    }
    this.accept(sequence, bytes, cut, fin, origin);
  }

  /**
   * Lets the stream begin with a segment. One that is far from all that was acknowledged waits: it is wrong, or the
   * acknowledgments are. @returns false if it waits.
   */
  #startAt(segment: UnprovenSegment): boolean {
    const { sequence } = segment;
    const before = this.#isStartOpen ? this.#far?.precede(sequence) : undefined;
    if (before !== undefined) {
      this.#startWith(before);
      return true;
    }
    const { any, highest } = this.acknowledged;
    const known = [...this.#others.claimed];
    if (this.#started) known.push(this.#firstByte);
    else if (any) known.push(highest);
    const isUnknown = known.length === 0 && !this.isSynExpected;
    if (!isUnknown && !known.some((start) => this.isNear(sequence, start))) {
      this.refuseAll(this.#farNumbers.keep(segment));
      return false;
    }
    if (!this.#started) {
      this.start(this.#shownBefore(sequence) ?? sequence);
      // A FIN alone is no better than what the other side says: a SYN may come after it.
      this.#isInferred = lengthOf(segment) === 0;
    } else if (this.#isInferred && this.untouched && this.ahead(sequence) < (lengthOf(segment) > 1 ? 0 : -1)) {
      // What comes before the acknowledged number was sent; but one byte there may be a keep-alive's.
      this.#begin(sequence);
    }
    return true;
  }

  /**
   * The number of a segment without data that a stream begins with, if what follows it was acknowledged and is missing.
   * One byte is not: a keep-alive has the number of the last one (RFC 9293, section 3.8.4).
   */
  #shownBefore(sequence: number): number | undefined {
    const isMissing = (start: number): boolean => ((sequence - start) | 0) > 1 && this.#isAfter(sequence, start);
    return this.#others.claimed.find((start) => isMissing(start) && this.acknowledged.reaches(start, 1));
  }

  /** Takes a segment far beyond everything, from which another one goes on: a lot is missing, or the SYN's number is wrong. */
  #believeFar(segment: UnprovenSegment): void {
    if (this.isSettled) this.acceptAll([segment]);
    else this.#startWith(segment);
  }

  #startWith(first: UnprovenSegment): void {
    this.start(first.sequence);
    this.#others.forget();
    this.acceptAll([first]);
  }

  /**
   * Takes an acknowledgment: the other side has all bytes before the one with this number. One that is far beyond
   * everything known to have been sent is an error or forged, and has no effect, as it has none on the receiver
   * (RFC 9293, section 3.10.7.4); unless another one goes on from there: then the capture lacks a lot.
   * @param at the number of the segment that acknowledges, which is one of the stream of the other side.
   */
  acknowledge(sequence: number, at: number, other: Reassembler): void {
    const first = this.#isStartOpen ? this.#far?.acknowledge(sequence) : undefined;
    if (first !== undefined) this.#startWith(first);
    const acknowledged = this.acknowledged;
    if (acknowledged.isOld(sequence)) {
      if (sequence === acknowledged.highest) {
        this.answerFin();
        return;
      }
      // What was acknowledged in a segment that has no place in its stream, as it turns out, was not.
      const isOutOfPlace = other.isSettled && !other.fits(acknowledged.at);
      if ((isOutOfPlace || acknowledged.isRefutedBy(at)) && this.fits(sequence)) this.takeBack(sequence);
      return;
    }
    this.#chooseStart(sequence, this.#others.stated);
    if (this.#isFar(sequence)) {
      const segment = this.#farNumbers.acknowledge(sequence);
      if (segment !== undefined) this.#believeFar(segment);
      else if (!this.#farNumbers.goesOn(sequence)) return;
      else if (this.untouched && !this.isSettled) {
        this.#others.claim(sequence);
        return;
      }
    }
    // Before the SYN's number, although nothing else has come: the number of one of the two is wrong.
    if (this.#started && this.untouched && this.ahead(sequence) < 0) {
      this.#others.claim(sequence);
      return;
    }
    this.raise(sequence, at);
  }

  /** Whether a number is so far beyond everything known that it may not belong to this stream at all. */
  #isFar(sequence: number): boolean {
    const { resetWindow } = this.limits;
    return this.#started && this.ahead(sequence) > resetWindow && this.beyondKnown(sequence) > resetWindow;
  }

  get #farNumbers(): FarNumbers {
    this.#far ??= new FarNumbers(this.limits.resetWindow);
    return this.#far;
  }

  /** Gives up what is missing and hands over what is waiting: nothing more will come. */
  flush(origin: Origin): void {
    const first = this.#started ? undefined : this.#far?.giveUp();
    if (first !== undefined) this.#startWith(first);
    this.refuseAll(this.#far?.giveUp());
    if (!this.#started || this.finished) return;
    this.finishAccepted(origin);
  }
}
