import type { Limits } from "../../limits.js";
import type { Origin } from "../conversation.js";
import type { Side } from "../tracked-conversation.js";
import { Acknowledgments } from "./acknowledgments.js";
import { FarNumbers, lengthOf, type UnprovenSegment } from "./far-numbers.js";
import { OtherStarts } from "./other-starts.js";
import type { RecentBytes } from "./recent-bytes.js";
import { type QueuedTotal, StreamBytes, type StreamSink } from "./stream-bytes.js";
import { StreamEnd } from "./stream-end.js";

/** A number further ahead than this is behind. */
const HALF_OF_SEQUENCE_SPACE = 0x7fff_ffff;

/**
 * Puts one direction of a TCP connection in order. Of bytes that come twice the first arrival counts, as it does for
 * most receivers. Sequence numbers are signed 32-bit numbers of which only differences matter, so wrap-around needs no
 * special care (RFC 9293, section 3.4).
 *
 * A hole is given up when the other side has acknowledged it and nothing has filled it for a while, when too much is
 * waiting beyond it, or when the connection ends. Bytes that were acknowledged were sent, so the capture has lost them;
 * but it may hold the packets of the two directions in a different order than they were sent, hence the wait. What the
 * snap length cut is a hole like any other, which a retransmitted segment cut elsewhere may fill; but once it is
 * acknowledged, or where no acknowledgments are seen, there is no wait.
 *
 * What counts is what the receiver accepts, as its acknowledgments show. A FIN ends the stream once it is acknowledged;
 * of several SYNs, the acknowledged one says where the stream begins; a segment far beyond everything else is believed
 * once another one goes on from there. Payload that fits nowhere is counted as unaccepted.
 */
export class Reassembler {
  readonly #side: Side;
  readonly #sink: StreamSink;
  readonly #limits: Limits;
  readonly #total: QueuedTotal;
  readonly #bytes: StreamBytes;
  readonly #acknowledged = new Acknowledgments();
  readonly #fin = new StreamEnd();
  readonly #others = new OtherStarts();
  #started = false;
  /** Whether only the other side has said where the stream begins. */
  #isInferred = false;
  #finished = false;
  #flushing = false;
  /** Number of the first byte of the stream. */
  #base = 0;
  /** What is so far beyond everything else that only what follows can show whether it belongs here. */
  #far: FarNumbers | undefined;
  /** Payload bytes that belong nowhere in the stream: its receiver cannot have accepted them. */
  unaccepted = 0;
  /** True while a grace period runs, after which bytes acknowledged by now are no longer expected. */
  awaitsUnseen = false;

  /** @param recent where the last bytes are kept, if bytes that come again are to be compared with them. */
  constructor(side: Side, sink: StreamSink, limits: Limits, total: QueuedTotal, recent?: RecentBytes) {
    this.#side = side;
    this.#sink = sink;
    this.#limits = limits;
    this.#total = total;
    this.#bytes = new StreamBytes(side, sink, limits, total, recent);
  }

  /** True if the last thing that happened was a loss: what is acknowledged next is likely to be lost as well. */
  get isLosing(): boolean {
    return this.#bytes.isLosing;
  }

  /** Whether the number that the stream begins with is known. */
  get started(): boolean {
    return this.#started;
  }

  /** Whether it is certain where the stream begins: bytes have come, or the other side has acknowledged its SYN. */
  get isSettled(): boolean {
    return this.#started && (!this.untouched || (this.#isStartAcknowledged && !this.#isInferred));
  }

  /** Number of the stream's first byte; meaningless before `started`. */
  get base(): number {
    return this.#base;
  }

  /** The number after everything that has come, including the FIN; meaningless before `started`. */
  get end(): number {
    return (this.#bytes.next + Math.max(0, this.#length)) | 0;
  }

  get finished(): boolean {
    return this.#finished;
  }

  /** The highest number that the other side has acknowledged; undefined unless bytes before it are still missing. */
  get acknowledgedUnseen(): number | undefined {
    const { any, highest } = this.#acknowledged;
    const isBehind = this.#started && !this.#finished && any && this.ahead(highest) > 0;
    return isBehind && (this.#fin.origin === undefined || this.ahead(this.#fin.at) > 0) ? highest : undefined;
  }

  /** Whether bytes are waiting beyond a hole, or acknowledged ones may still come. */
  get waits(): boolean {
    return this.#bytes.waits || (!this.#flushing && this.acknowledgedUnseen !== undefined);
  }

  /** Whether nothing has been seen of the stream except where it begins, or a FIN that may not be its end. */
  get untouched(): boolean {
    return this.#bytes.passed === 0 && !this.#bytes.waits && !this.#finished;
  }

  /** Whether the sender has sent a FIN that nothing contradicts. */
  get hasFin(): boolean {
    return this.#fin.origin !== undefined;
  }

  /**
   * Sets the number of the stream's first byte, as a SYN does; has no effect once bytes have been seen, or the number is
   * acknowledged. Several SYNs with different numbers leave it open until then (RFC 9293, section 3.10.7.4).
   */
  start(sequence: number): void {
    if (this.#started) {
      // That the other side has acknowledged a number which only it has named settles nothing.
      if (this.isSettled || this.#base === sequence) return;
      this.#others.replace(this.#base, sequence);
    }
    const doubtful = this.#started ? undefined : this.#far?.giveUp();
    this.#started = true;
    this.#isInferred = false;
    this.#begin(sequence);
    if (doubtful !== undefined) {
      this.segment(doubtful.sequence, doubtful.bytes, doubtful.cut, doubtful.fin, doubtful.origin);
    }
  }

  /** Sets that number as long as no SYN does: the other side has acknowledged it. If others differ, the bytes decide. */
  infer(sequence: number): void {
    if (!this.#started) {
      this.start(sequence);
      this.#isInferred = true;
    } else if (this.#isStartOpen && !this.#isNear(sequence, this.#base)) {
      const first = this.#far?.acknowledge(sequence);
      if (first !== undefined) this.#startWith(first);
      else this.#others.claim(sequence);
    }
  }

  /** Whether the sender has not said yet where the stream begins, or the other side has contradicted it. */
  get #isStartOpen(): boolean {
    return !this.#started || (!this.isSettled && (this.#isInferred || this.#others.claimed.length > 0));
  }

  #isNear(sequence: number, other: number): boolean {
    return Math.abs((sequence - other) | 0) <= this.#limits.resetWindow;
  }

  #begin(sequence: number): void {
    this.#base = sequence;
    this.#bytes.next = sequence;
    // What was acknowledged before, or a FIN that came before, may belong to another connection, or be forged.
    if (!this.#isNear(this.#acknowledged.highest, sequence)) this.#acknowledged.any = false;
    const toFin = (this.#fin.at - sequence) | 0;
    if (toFin < 0 || toFin > this.#limits.resetWindow) this.#fin.origin = undefined;
  }

  get #isStartAcknowledged(): boolean {
    const { any, highest } = this.#acknowledged;
    const distance = (highest - this.#base) | 0;
    return any && distance >= 0 && distance <= this.#limits.resetWindow;
  }

  /** Decides which of several SYNs counts: the one that a number of the stream comes soonest after. */
  #chooseStart(sequence: number, others: readonly number[]): void {
    if (others.length === 0 || !this.untouched) return;
    const distance = (start: number): number => (sequence - start) >>> 0;
    const starts = [this.#base, ...others];
    const start = starts.reduce((best, other) => (distance(other) < distance(best) ? other : best));
    if (!this.#isAfter(sequence, start)) return;
    this.#others.forget();
    this.#begin(start);
  }

  /** Whether `sequence` is a number of a stream that begins with another one, as far as is known. */
  #isAfter(sequence: number, start: number): boolean {
    return (sequence - start) >>> 0 <= this.#limits.resetWindow;
  }

  /** How far `sequence` is beyond the next byte; negative for bytes that have been handed over. */
  ahead(sequence: number): number {
    return this.#bytes.ahead(sequence);
  }

  /**
   * How far `sequence` is beyond everything that has come, including the FIN; negative for what has come. But what has
   * come and is not acknowledged counts as 0 if acknowledgments are seen: the other side may still be waiting for it.
   */
  beyondAll(sequence: number): number {
    const beyond = this.ahead(sequence) - this.#length;
    const isUnconfirmed = this.#acknowledged.any && this.#acknowledged.beyond(sequence) >= 0;
    return beyond < 0 && isUnconfirmed ? 0 : beyond;
  }

  /** How far `sequence` is beyond everything that has come or was acknowledged. */
  #beyondKnown(sequence: number): number {
    const beyond = this.ahead(sequence) - this.#length;
    return this.#acknowledged.any ? Math.min(beyond, this.#acknowledged.beyond(sequence)) : beyond;
  }

  /** Length of everything from the next byte on that has come, including holes and the FIN. */
  get #length(): number {
    return Math.max(this.#bytes.length, this.#fin.origin === undefined ? 0 : this.ahead(this.#fin.at) + 1);
  }

  /**
   * Whether `sequence` can be a number of this stream, as far as is known: it was handed over, or is not far beyond
   * everything that has come.
   */
  fits(sequence: number): boolean {
    if (!this.#started) return true;
    if (this.untouched && this.#others.all.some((start) => this.#isAfter(sequence, start))) return true;
    return this.ahead(sequence) <= 0 ? this.covers(sequence) : this.#beyondKnown(sequence) <= this.#limits.resetWindow;
  }

  /** Whether `sequence` is the number of a byte that has been handed over or given up, or of the next one. */
  covers(sequence: number): boolean {
    return this.#bytes.covers(sequence);
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
      this.#started && !this.isSettled && this.ahead(sequence) < 0 && !this.#isNear(sequence, this.#base);
    if ((isBefore || this.#isStartOpen) && !this.#startAt({ sequence, bytes, cut, fin, origin })) return;
    if (this.#finished) {
      this.refuse(Math.min(length, this.ahead(sequence + length)));
      return;
    }
    if (this.untouched) this.#chooseStart(sequence, this.#others.all);
    if (this.#isFar(sequence)) {
      const segment = { sequence, bytes, cut, fin, origin };
      const before = this.#farNumbers.precede(sequence);
      if (before === undefined) {
        this.#refuseAll(this.#farNumbers.keep(segment));
        return;
      }
      this.#acceptAll([before]);
    }
    this.#accept(sequence, bytes, cut, fin, origin);
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
    const known = this.#started
      ? [this.#base, ...this.#others.claimed]
      : this.#acknowledged.any
        ? [this.#acknowledged.highest]
        : [];
    if (known.length > 0 && !known.some((start) => this.#isNear(sequence, start))) {
      this.#refuseAll(this.#farNumbers.keep(segment));
      return false;
    }
    if (!this.#started) this.start(sequence);
    return true;
  }

  #startWith(first: UnprovenSegment): void {
    this.start(first.sequence);
    this.#others.forget();
    this.#acceptAll([first]);
  }

  /** Takes a segment that is near enough. */
  #accept(sequence: number, bytes: Uint8Array, cut: number, fin: boolean, origin: Origin): void {
    const length = bytes.length + cut;
    if (
      fin &&
      this.#fin.origin === undefined &&
      this.ahead(sequence + length) >= 0 &&
      !this.#refutes(sequence + length)
    ) {
      this.#fin.set((sequence + length) | 0, origin);
    }
    const afterFin = this.#fin.origin === undefined ? 0 : (sequence + length - this.#fin.at) | 0;
    const beyond = Math.min(length, afterFin);
    if (beyond > 0 || (fin && afterFin > 0)) this.#keepBeyondFin(sequence, bytes, cut, fin, origin, beyond);
    else this.#place(sequence, bytes, cut, origin);
  }

  /** Puts the payload of a segment where it belongs. */
  #place(sequence: number, bytes: Uint8Array, cut: number, origin: Origin): void {
    const length = bytes.length + cut;
    if (length > 0) {
      const ahead = this.ahead(sequence);
      if (ahead < 0) this.#refuseBeforeStart(0 - ahead, length);
      if (ahead > HALF_OF_SEQUENCE_SPACE - length) return;
      if (ahead <= 0 && ahead + length > 0) this.#acknowledged.reconsider(this.#bytes.next);
      this.#bytes.take(ahead, sequence, bytes, cut, origin);
    }
    this.#settle();
  }

  /**
   * Takes an acknowledgment: the other side has all bytes before the one with this number. One that is far beyond
   * everything known to have been sent is an error or forged, and has no effect, as it has none on the receiver
   * (RFC 9293, section 3.10.7.4); unless another one goes on from there: then the capture lacks a lot.
   * @param at the number of the segment that acknowledges, which is one of the other side.
   */
  acknowledge(sequence: number, at: number): void {
    const first = this.#isStartOpen ? this.#far?.acknowledge(sequence) : undefined;
    if (first !== undefined) this.#startWith(first);
    const acknowledged = this.#acknowledged;
    if (acknowledged.isOld(sequence)) {
      if (sequence !== acknowledged.highest && acknowledged.isSince(at)) this.#takeBack(sequence);
      return;
    }
    this.#chooseStart(sequence, this.#others.sent);
    if (this.#isFar(sequence)) {
      const segment = this.#farNumbers.acknowledge(sequence);
      if (segment !== undefined) this.#acceptAll([segment]);
      else if (!this.#farNumbers.goesOn(sequence)) return;
    }
    // Before the SYN's number, although nothing else has come: the number of one of the two is wrong.
    if (this.#started && this.untouched && this.ahead(sequence) < 0) {
      this.#others.claim(sequence);
      return;
    }
    acknowledged.raise(sequence, at);
    if (this.#fin.origin !== undefined && !this.#finished && this.#refutes(this.#fin.at)) this.#refuteFin();
    this.#settle();
  }

  /**
   * Takes back that bytes were acknowledged which have not come: the receiver has sent more since, and acknowledges
   * less. A receiver never takes anything back (RFC 9293, section 3.10.7.4), so it has not sent the higher number.
   */
  #takeBack(acknowledged: number): void {
    if (this.ahead(this.#acknowledged.highest) > 0) this.#acknowledged.takeBack(acknowledged);
  }

  /** Whether a number is so far beyond everything known that it may not belong to this stream at all. */
  #isFar(sequence: number): boolean {
    const { resetWindow } = this.#limits;
    return this.#started && this.ahead(sequence) > resetWindow && this.#beyondKnown(sequence) > resetWindow;
  }

  get #farNumbers(): FarNumbers {
    this.#far ??= new FarNumbers(this.#limits.resetWindow);
    return this.#far;
  }

  #acceptAll(segments: readonly UnprovenSegment[]): void {
    for (const { sequence, bytes, cut, fin, origin } of segments) this.#accept(sequence, bytes, cut, fin, origin);
  }

  /** Keeps the part of a segment that is beyond the FIN, until acknowledgments show which of the two happened. */
  #keepBeyondFin(sequence: number, bytes: Uint8Array, cut: number, fin: boolean, origin: Origin, length: number): void {
    const within = bytes.length + cut - length;
    const captured = bytes.subarray(0, within);
    if (within > 0) this.#place(sequence, captured, within - captured.length, origin);
    const rest = bytes.subarray(within);
    const segment = { sequence: (sequence + within) | 0, bytes: rest, cut: length - rest.length, fin, origin };
    if (!this.#fin.keep(segment, this.#limits)) this.#refuseAll(segment);
  }

  /** Whether the receiver has acknowledged more than a FIN with this number. */
  #refutes(fin: number): boolean {
    return this.#acknowledged.reaches(fin, 2);
  }

  /** Takes back the FIN: more than it was acknowledged. */
  #refuteFin(): void {
    this.#fin.origin = undefined;
    this.#acceptAll(this.#fin.takeBeyond());
  }

  /** Counts payload that its receiver cannot have accepted. */
  refuse(length: number): void {
    if (length > 0) this.unaccepted += length;
  }

  #refuseAll(...segments: readonly (UnprovenSegment | undefined)[]): void {
    for (const segment of segments) if (segment !== undefined) this.refuse(lengthOf(segment));
  }

  /** Counts the bytes before the first one of the stream, of a segment that begins this many before the next byte. */
  #refuseBeforeStart(behind: number, length: number): void {
    const before = behind - this.#bytes.passed;
    // A keep-alive may carry one arbitrary byte (RFC 9293, section 3.8.4).
    if (before > 0 && !(before === 1 && length === 1)) this.refuse(Math.min(before, length));
  }

  /** Gives up what is missing before this number: it was acknowledged long enough ago. */
  believe(sequence: number): void {
    if (this.#acknowledged.believe(sequence)) this.#settle();
  }

  /** Gives up what is missing and hands over what is waiting: nothing more will come. */
  flush(origin: Origin): void {
    const first = this.#started ? undefined : this.#far?.giveUp();
    if (first !== undefined) this.#startWith(first);
    this.#refuseAll(this.#far?.giveUp());
    if (!this.#started || this.#finished) return;
    this.#flushing = true;
    // Where no acknowledgment decides, the sender does: nothing comes after its FIN.
    if (this.#fin.isExceeded && !this.#isFinAcknowledged) this.#refuteFin();
    this.#settle();
    if (this.#finished || !this.#acknowledged.any) return;
    // Acknowledged and never seen. A single number is more likely the FIN, which counts as one; it may be one of
    // several.
    const unseen = this.ahead(this.#acknowledged.highest);
    if (unseen > 1) this.#bytes.giveUp(unseen, "lost", origin);
  }

  /** Goes on after a `flush`: more comes after all. */
  resume(): void {
    this.#flushing = false;
  }

  /** Hands over what is in order by now, and gives up holes that will not be filled. */
  #settle(): void {
    // Usually everything has come in order.
    if (!this.#bytes.waits && this.#fin.origin === undefined) return;
    while (this.#step()) {
      // Each step is one waiting segment or one hole.
    }
  }

  /** Hands over or gives up what is next; false if there is nothing to do, or it has to wait. */
  #step(): boolean {
    const bytes = this.#bytes;
    const { first } = bytes;
    const toFirst = first === undefined ? Number.POSITIVE_INFINITY : this.ahead(first.sequence);
    if (first !== undefined && toFirst <= 0) {
      bytes.handOverFirst(first);
      return true;
    }
    const cut = bytes.firstCut();
    const toCut = cut === undefined ? Number.POSITIVE_INFINITY : this.ahead(cut.sequence);
    if (cut !== undefined && toCut <= 0) {
      const length = Math.min(this.ahead(cut.sequence + cut.length), toFirst);
      const isAwaited = this.#acknowledged.any && !this.#acknowledged.reaches(bytes.next, length);
      if (isAwaited && !this.#isLost((bytes.next + length) | 0)) return false;
      bytes.giveUp(length, "cut", cut.origin);
      return true;
    }
    const known = toFirst < toCut ? first : cut;
    if (known !== undefined) {
      if (!this.#isLost(known.sequence)) return false;
      bytes.giveUp(this.ahead(known.sequence), "lost", known.origin);
      return true;
    }
    return this.#finish();
  }

  /** Ends the direction once everything before its FIN has been dealt with; false, as there is no next step. */
  #finish(): boolean {
    const { at, origin } = this.#fin;
    if (origin === undefined || this.#finished) return false;
    const hole = this.ahead(at);
    if (hole > 0) {
      if (!this.#isLost((at + 1) | 0)) return false;
      this.#bytes.giveUp(hole, "lost", origin);
    }
    if (!this.#flushing && !this.#isFinAcknowledged) return false;
    this.#finished = true;
    this.#refuseAll(...this.#fin.takeBeyond());
    this.#sink.finished(this.#side);
    return false;
  }

  get #isFinAcknowledged(): boolean {
    return this.#acknowledged.reaches(this.#fin.at, 1);
  }

  /** Whether a hole that ends before `sequence` will not be filled. */
  #isLost(sequence: number): boolean {
    if (this.#flushing || this.#acknowledged.isProven(sequence)) return true;
    const limit = this.#bytes.exceeded;
    if (limit !== undefined) this.#total.reached?.(limit);
    return limit !== undefined;
  }
}
