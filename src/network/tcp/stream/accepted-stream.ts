import type { Limits } from "../../../limits.js";
import type { Origin } from "../../conversation.js";
import type { Side } from "../../tracked-conversation.js";
import { Acknowledgments } from "./acknowledgments.js";
import { lengthOf, type UnprovenSegment } from "./far-numbers.js";
import type { RecentBytes } from "./recent-bytes.js";
import { type QueuedTotal, StreamBytes, type StreamSink } from "./stream-bytes.js";
import { StreamEnd } from "./stream-end.js";

/** A number further ahead than this is behind. */
const HALF_OF_SEQUENCE_SPACE = 0x7fff_ffff;
const NO_BYTES = new Uint8Array(0);

/**
 * One direction of a TCP connection from where it begins, of which nothing is far from the rest: in order, as its
 * receiver accepts it.
 *
 * A hole is given up when the other side has acknowledged it and nothing has filled it for a while, when too much is
 * waiting beyond it, or when the connection ends. Bytes that were acknowledged were sent, so the capture has lost them;
 * but it may hold the packets of the two directions in a different order than they were sent, hence the wait. What the
 * snap length cut is a hole like any other, which a retransmitted segment cut elsewhere may fill; but once it is
 * acknowledged, or where no acknowledgments are seen, there is no wait.
 *
 * A FIN ends the stream once it is acknowledged. Payload that fits nowhere is counted as unaccepted.
 */
export class AcceptedStream {
  readonly #side: Side;
  readonly #sink: StreamSink;
  readonly #total: QueuedTotal;
  protected readonly limits: Limits;
  protected readonly bytes: StreamBytes;
  protected readonly acknowledged = new Acknowledgments();
  protected readonly fin = new StreamEnd();
  protected isFlushing = false;
  #finished = false;
  /** Payload bytes that belong nowhere in the stream: its receiver cannot have accepted them. */
  unaccepted = 0;

  /** @param recent where the last bytes are kept, if bytes that come again are to be compared with them. */
  constructor(side: Side, sink: StreamSink, limits: Limits, total: QueuedTotal, recent?: RecentBytes) {
    this.#side = side;
    this.#sink = sink;
    this.#total = total;
    this.limits = limits;
    this.bytes = new StreamBytes(side, sink, limits, total, recent);
  }

  /** True if the last thing that happened was a loss: what is acknowledged next is likely to be lost as well. */
  get isLosing(): boolean {
    return this.bytes.isLosing;
  }

  /** The number after everything that has come, including a FIN that follows it; meaningless before `started`. */
  get end(): number {
    const end = (this.bytes.next + Math.max(0, this.bytes.length)) | 0;
    return this.fin.origin !== undefined && this.fin.at === end ? (end + 1) | 0 : end;
  }

  get finished(): boolean {
    return this.#finished;
  }

  /** Whether nothing has been seen of the stream except where it begins, or a FIN that may not be its end. */
  get untouched(): boolean {
    return this.bytes.passed === 0 && !this.bytes.waits && !this.#finished;
  }

  /** Whether the sender has sent a FIN that nothing contradicts. */
  get hasFin(): boolean {
    return this.fin.origin !== undefined;
  }

  /** Whether everything that has come was in order, and goes on: nothing waits, and there is no FIN. */
  #isOrderly(): boolean {
    return this.bytes.passed > 0 && !this.bytes.waits && this.fin.origin === undefined;
  }

  /** Whether `sequence` is the number of the next byte of a stream of which everything has come in order. */
  isNext(sequence: number): boolean {
    return sequence === this.bytes.next && this.#isOrderly();
  }

  /** Takes the next bytes, for whose number `isNext` is true. */
  goOn(bytes: Uint8Array, origin: Origin): void {
    this.acknowledged.reconsider(this.bytes.next);
    this.bytes.handOver(bytes, origin);
  }

  /**
   * Takes an acknowledgment of what has come in order; false, with nothing taken, if it is not the first one or says
   * anything else.
   * @param at the number of the segment that acknowledges.
   */
  confirm(sequence: number, at: number): boolean {
    const { acknowledged, fin } = this;
    if (!acknowledged.any || this.ahead(sequence) > 0 || !this.#isOrderly()) return false;
    const beyond = acknowledged.beyond(sequence);
    if (beyond < 0) return false;
    if (beyond > 0) {
      acknowledged.raise(sequence, at);
      fin.isAnswered = true;
    }
    return true;
  }

  /** How far `sequence` is beyond the next byte; negative for bytes that have been handed over. */
  ahead(sequence: number): number {
    return this.bytes.ahead(sequence);
  }

  /**
   * How far `sequence` is beyond everything that has come, including the FIN; negative for what has come. But what has
   * come and is not acknowledged counts as 0 if acknowledgments are seen: the other side may still be waiting for it.
   */
  beyondAll(sequence: number): number {
    const beyond = this.ahead(sequence) - this.#length;
    const isUnconfirmed = this.acknowledged.any && this.acknowledged.beyond(sequence) >= 0;
    return beyond < 0 && isUnconfirmed ? 0 : beyond;
  }

  /** How far `sequence` is beyond everything that has come or was acknowledged. */
  protected beyondKnown(sequence: number): number {
    const beyond = this.ahead(sequence) - this.#length;
    return this.acknowledged.any ? Math.min(beyond, this.acknowledged.beyond(sequence)) : beyond;
  }

  /** Length of everything from the next byte on that has come, including holes and the FIN. */
  get #length(): number {
    return Math.max(this.bytes.length, this.fin.origin === undefined ? 0 : this.ahead(this.fin.at) + 1);
  }

  /** Whether `sequence` is the number of a byte that has been handed over or given up, or of the next one. */
  covers(sequence: number): boolean {
    return this.bytes.covers(sequence);
  }

  /**
   * Begins with the byte of this number, of which none has come yet. What was acknowledged before, or a FIN that came
   * before, may belong to another connection, or be forged: it is forgotten unless it is near.
   */
  protected beginAt(sequence: number): void {
    this.bytes.next = sequence;
    if (!this.isNear(this.acknowledged.highest, sequence)) this.acknowledged.any = false;
    const toFin = (this.fin.at - sequence) | 0;
    if (toFin < 0 || toFin > this.limits.resetWindow) this.fin.origin = undefined;
  }

  /** Whether two numbers can be of one stream. */
  protected isNear(sequence: number, other: number): boolean {
    return Math.abs((sequence - other) | 0) <= this.limits.resetWindow;
  }

  /** Takes a segment that is near enough. */
  protected accept(sequence: number, bytes: Uint8Array, cut: number, fin: boolean, origin: Origin): void {
    const length = bytes.length + cut;
    if (fin && this.ahead(sequence + length) >= 0 && !this.#refutes(sequence + length)) {
      this.#takeFin((sequence + length) | 0, this.ahead(sequence), origin);
    }
    const afterFin = this.fin.origin === undefined ? 0 : (sequence + length - this.fin.at) | 0;
    const beyond = Math.min(length, afterFin);
    if (beyond > 0 || (fin && afterFin > 0)) this.#keepBeyondFin(sequence, bytes, cut, fin, origin, beyond);
    else this.#place(sequence, bytes, cut, origin);
  }

  /**
   * Takes a FIN. Of two, the one that all bytes before it have come of is believed rather than one behind bytes that
   * nobody has acknowledged: a sender has one end.
   * @param begin how far the beginning of its segment is beyond the next byte.
   */
  #takeFin(at: number, begin: number, origin: Origin): void {
    const { fin } = this;
    if (fin.origin !== undefined) {
      const isBehindHole = this.ahead(fin.at) > this.bytes.length && !this.acknowledged.reaches(fin.at);
      const isNearer = ((fin.at - at) | 0) > 0 && begin <= Math.max(0, this.bytes.length);
      if (!isBehindHole || !isNearer) return;
      const other = { sequence: fin.at, bytes: NO_BYTES, cut: 0, fin: true, origin: fin.origin };
      if (fin.keep(other, this.limits) !== undefined) return;
    }
    fin.set(at, origin);
  }

  /** Puts the payload of a segment where it belongs. */
  #place(sequence: number, bytes: Uint8Array, cut: number, origin: Origin): void {
    const length = bytes.length + cut;
    if (length > 0) {
      const ahead = this.ahead(sequence);
      if (ahead < 0) this.#refuseBeforeStart(0 - ahead, length);
      if (ahead > HALF_OF_SEQUENCE_SPACE - length) return;
      if (ahead <= 0 && ahead + length > 0) this.acknowledged.reconsider(this.bytes.next);
      this.bytes.take(ahead, sequence, bytes, cut, origin);
    }
    this.#settle();
  }

  /** Takes an acknowledgment that counts. */
  protected raise(sequence: number, at: number): void {
    this.acknowledged.raise(sequence, at);
    this.fin.isAnswered = true;
    if (this.fin.origin !== undefined && !this.#finished && this.#refutes(this.fin.at)) this.#refuteFin();
    this.#settle();
  }

  /** Notes that what was acknowledged last is still so after the FIN has come. */
  protected answerFin(): void {
    if (this.fin.origin === undefined || this.fin.isAnswered) return;
    this.fin.isAnswered = true;
    this.#settle();
  }

  /**
   * Takes back that bytes were acknowledged which have not come: the receiver has sent more since, and acknowledges
   * less. A receiver never takes anything back (RFC 9293, section 3.10.7.4), so it has not sent the higher number.
   */
  protected takeBack(acknowledged: number): void {
    if (this.ahead(this.acknowledged.highest) > 0) this.acknowledged.takeBack(acknowledged);
  }

  protected acceptAll(segments: readonly UnprovenSegment[]): void {
    for (const { sequence, bytes, cut, fin, origin } of segments) this.accept(sequence, bytes, cut, fin, origin);
  }

  /** Keeps the part of a segment that is beyond the FIN, until acknowledgments show which of the two happened. */
  #keepBeyondFin(sequence: number, bytes: Uint8Array, cut: number, fin: boolean, origin: Origin, length: number): void {
    const within = bytes.length + cut - length;
    const captured = bytes.subarray(0, within);
    if (within > 0) this.#place(sequence, captured, within - captured.length, origin);
    const rest = bytes.subarray(within);
    const segment = { sequence: (sequence + within) | 0, bytes: rest, cut: length - rest.length, fin, origin };
    const limit = this.fin.keep(segment, this.limits);
    if (limit === undefined) return;
    this.#total.reached?.(limit);
    this.refuseAll(segment);
  }

  /** Whether the receiver has acknowledged more than a FIN with this number. */
  #refutes(fin: number): boolean {
    return this.acknowledged.reaches(fin, 2);
  }

  /** Takes back the FIN: more than it was acknowledged. */
  #refuteFin(): void {
    this.fin.origin = undefined;
    this.acceptAll(this.fin.takeBeyond());
  }

  /** Counts payload that its receiver cannot have accepted. */
  refuse(length: number): void {
    if (length > 0) this.unaccepted += length;
  }

  protected refuseAll(...segments: readonly (UnprovenSegment | undefined)[]): void {
    for (const segment of segments) if (segment !== undefined) this.refuse(lengthOf(segment));
  }

  /** Counts the bytes before the first one of the stream, of a segment that begins this many before the next byte. */
  #refuseBeforeStart(behind: number, length: number): void {
    const before = behind - this.bytes.passed;
    // A keep-alive may carry one arbitrary byte (RFC 9293, section 3.8.4).
    if (before > 0 && !(before === 1 && length === 1)) this.refuse(Math.min(before, length));
  }

  /** Gives up what is missing before this number: it was acknowledged long enough ago. */
  believe(sequence: number): void {
    if (this.acknowledged.believe(sequence)) this.#settle();
  }

  /** Gives up what is missing and hands over what is waiting, as nothing more will come. */
  protected finishAccepted(origin: Origin): void {
    // Where no acknowledgment decides, the sender does: nothing comes after its FIN.
    while (this.fin.isExceeded && !this.#isFinAcknowledged) this.#refuteFin();
    this.isFlushing = true;
    this.#settle();
    if (this.#finished || !this.acknowledged.any) return;
    // Acknowledged and never seen. A single number is more likely the FIN, which counts as one; it may be one of
    // several.
    const unseen = this.ahead(this.acknowledged.highest);
    if (unseen > 1) this.bytes.giveUp(unseen, "lost", origin);
  }

  /** Goes on after a `flush`: more comes after all. */
  resume(): void {
    this.isFlushing = false;
  }

  /** Hands over what is in order by now, and gives up holes that will not be filled. */
  #settle(): void {
    // Usually everything has come in order.
    if (!this.bytes.waits && this.fin.origin === undefined) return;
    while (this.#step()) {
      // Each step is one waiting segment or one hole.
    }
  }

  /** Hands over or gives up what is next; false if there is nothing to do, or it has to wait. */
  #step(): boolean {
    const bytes = this.bytes;
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
      const isAwaited = this.acknowledged.any && !this.acknowledged.reaches(bytes.next, length);
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
    const { at, origin } = this.fin;
    if (origin === undefined || this.#finished) return false;
    const hole = this.ahead(at);
    if (hole > 0) {
      if (!this.#isLost((at + 1) | 0)) return false;
      this.bytes.giveUp(hole, "lost", origin);
    }
    if (!this.isFlushing && !this.#isFinAcknowledged) return false;
    this.#finished = true;
    this.refuseAll(...this.fin.takeBeyond());
    this.#sink.finished(this.#side);
    return false;
  }

  get #isFinAcknowledged(): boolean {
    return this.fin.isAnswered && this.acknowledged.reaches(this.fin.at, 1);
  }

  /** Whether a hole that ends before `sequence` will not be filled. */
  #isLost(sequence: number): boolean {
    if (this.isFlushing || this.acknowledged.isProven(sequence)) return true;
    const limit = this.bytes.exceeded;
    if (limit !== undefined) this.#total.reached?.(limit);
    return limit !== undefined;
  }
}
