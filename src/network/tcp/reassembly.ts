import type { LimitName, Limits } from "../../limits.js";
import type { GapReason, Origin } from "../conversation.js";
import type { Side } from "../tracked-conversation.js";
import { CutRanges } from "./cut-ranges.js";
import { copyOf, FarNumbers, lengthOf, type UnprovenSegment } from "./far-numbers.js";
import { History } from "./history.js";
import { OutOfOrderQueue, type OutOfOrderSegment } from "./out-of-order-queue.js";
import type { RecentBytes } from "./recent-bytes.js";

/** Receives the reassembled streams of both sides of a TCP connection. */
export interface StreamSink {
  /** The next bytes, valid only during the call. */
  bytes(side: Side, bytes: Uint8Array, origin: Origin): void;
  /** `length` bytes are missing here for good. */
  gap(side: Side, length: number, reason: GapReason, origin: Origin): void;
  /** `length` bytes have come that are reported later: some before them have not come yet. */
  outOfOrder(side: Side, length: number, origin: Origin): void;
  /** Bytes have come again, and `differing` of them differ. Reported only where that is looked for. */
  conflict(side: Side, differing: number, origin: Origin): void;
  /** The side's FIN; everything before it has been handed over. */
  finished(side: Side): void;
}

/** Counts the bytes that are waiting in all directions together. */
export interface QueuedTotal {
  bytes: number;
  /** Called when a hole is given up because of a limit. */
  readonly reached?: (limit: LimitName) => void;
}

/** Shared by all directions in which everything comes in order: nothing is ever added to these. */
const EMPTY_QUEUE = new OutOfOrderQueue();
const NO_CUTS = new CutRanges();

/** A number further ahead than this is behind. */
const HALF_OF_SEQUENCE_SPACE = 0x7fff_ffff;

/** Numbers of SYNs that are remembered until one of them is acknowledged; a server with SYN cookies sends a few. */
const MOST_STARTS = 8;

/** Shared by all directions in which everything is believed: nothing is ever added. */
const NONE_UNPROVEN: UnprovenSegment[] = [];
const NO_STARTS: number[] = [];

function withStart(starts: readonly number[], start: number): number[] {
  return [...starts.filter((other) => other !== start), start].slice(-MOST_STARTS);
}

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
  #started = false;
  /** Whether only the other side has said where the stream begins. */
  #isInferred = false;
  #finished = false;
  #flushing = false;
  /** Number of the first byte of the stream, and of the next one to hand over. */
  #base = 0;
  #next = 0;
  /** Number of bytes handed over or given up; unlike `#next - #base` it does not wrap around. */
  #passed = 0;
  #queue = EMPTY_QUEUE;
  /** Their estimated cost in memory. */
  #queuedBytes = 0;
  #cuts = NO_CUTS;
  readonly #history: History | undefined;
  /** Sequence number of the FIN, the one after the last byte. */
  #finAt = 0;
  #finOrigin: Origin | undefined;
  /** The highest number that the other side has acknowledged. */
  #acknowledged = 0;
  /** The number of the segment that has said so. */
  #acknowledgedAt = 0;
  #anyAcknowledged = false;
  /** Holes before this number are lost: they were acknowledged long enough ago. */
  #proven: number | undefined;
  /** Where else the stream may begin: other SYNs have said so, and none is acknowledged yet. */
  #otherStarts = NO_STARTS;
  /** The same where only the other side has said so: what it acknowledges later says nothing new. */
  #claimedStarts = NO_STARTS;
  /** What is so far beyond everything else that only what follows can show whether it belongs here. */
  #far: FarNumbers | undefined;
  /** What the sender has sent beyond its FIN: one of the two did not happen. */
  #beyondFin = NONE_UNPROVEN;
  /** True if the last thing that happened was a loss: what is acknowledged next is likely to be lost as well. */
  isLosing = false;
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
    this.#history = recent && new History(recent, limits.recentStretches);
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
    return (this.#next + Math.max(0, this.#length)) | 0;
  }

  get finished(): boolean {
    return this.#finished;
  }

  /** The highest number that the other side has acknowledged; undefined unless bytes before it are still missing. */
  get acknowledgedUnseen(): number | undefined {
    const isBehind = this.#started && !this.#finished && this.#anyAcknowledged && this.ahead(this.#acknowledged) > 0;
    return isBehind && (this.#finOrigin === undefined || this.ahead(this.#finAt) > 0) ? this.#acknowledged : undefined;
  }

  /** Whether bytes are waiting beyond a hole, or acknowledged ones may still come. */
  get waits(): boolean {
    if (this.#queue.count > 0 || this.#cuts.count > 0) return true;
    return !this.#flushing && this.acknowledgedUnseen !== undefined;
  }

  /** Whether nothing has been seen of the stream except where it begins, or a FIN that may not be its end. */
  get untouched(): boolean {
    return this.#passed === 0 && this.#queue.count === 0 && this.#cuts.count === 0 && !this.#finished;
  }

  /** Whether the sender has sent a FIN that nothing contradicts. */
  get hasFin(): boolean {
    return this.#finOrigin !== undefined;
  }

  /**
   * Sets the number of the stream's first byte, as a SYN does; has no effect once bytes have been seen, or the number is
   * acknowledged. Several SYNs with different numbers leave it open until then (RFC 9293, section 3.10.7.4).
   */
  start(sequence: number): void {
    if (this.#started) {
      // That the other side has acknowledged a number which only it has named settles nothing.
      if (this.isSettled || this.#base === sequence) return;
      this.#otherStarts = withStart(
        this.#otherStarts.filter((other) => other !== sequence),
        this.#base,
      );
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
      else this.#claimedStarts = withStart(this.#claimedStarts, sequence);
    }
  }

  /** Whether the sender has not said yet where the stream begins, or the other side has contradicted it. */
  get #isStartOpen(): boolean {
    return !this.#started || (!this.isSettled && (this.#isInferred || this.#claimedStarts.length > 0));
  }

  #isNear(sequence: number, other: number): boolean {
    return Math.abs((sequence - other) | 0) <= this.#limits.resetWindow;
  }

  #begin(sequence: number): void {
    this.#base = sequence;
    this.#next = sequence;
    // What was acknowledged before, or a FIN that came before, may belong to another connection, or be forged.
    if (!this.#isNear(this.#acknowledged, sequence)) this.#anyAcknowledged = false;
    const toFin = (this.#finAt - sequence) | 0;
    if (toFin < 0 || toFin > this.#limits.resetWindow) this.#finOrigin = undefined;
  }

  get #isStartAcknowledged(): boolean {
    const distance = (this.#acknowledged - this.#base) | 0;
    return this.#anyAcknowledged && distance >= 0 && distance <= this.#limits.resetWindow;
  }

  /** Decides which of several SYNs counts: the one that a number of the stream comes soonest after. */
  #chooseStart(sequence: number, others: readonly number[]): void {
    if (others.length === 0 || !this.untouched) return;
    const distance = (start: number): number => (sequence - start) >>> 0;
    const starts = [this.#base, ...others];
    const start = starts.reduce((best, other) => (distance(other) < distance(best) ? other : best));
    if (!this.#isAfter(sequence, start)) return;
    this.#forgetStarts();
    this.#begin(start);
  }

  /** Where else the stream may begin. */
  get #allStarts(): readonly number[] {
    return this.#otherStarts.length + this.#claimedStarts.length === 0
      ? NO_STARTS
      : [...this.#otherStarts, ...this.#claimedStarts];
  }

  /** Whether `sequence` is a number of a stream that begins with another one, as far as is known. */
  #isAfter(sequence: number, start: number): boolean {
    return (sequence - start) >>> 0 <= this.#limits.resetWindow;
  }

  #forgetStarts(): void {
    this.#otherStarts = NO_STARTS;
    this.#claimedStarts = NO_STARTS;
  }

  /** How far `sequence` is beyond the next byte; negative for bytes that have been handed over. */
  ahead(sequence: number): number {
    return (sequence - this.#next) | 0;
  }

  /**
   * How far `sequence` is beyond everything that has come, including the FIN; negative for what has come. But what has
   * come and is not acknowledged counts as 0 if acknowledgments are seen: the other side may still be waiting for it.
   */
  beyondAll(sequence: number): number {
    const beyond = this.ahead(sequence) - this.#length;
    const isUnconfirmed = this.#anyAcknowledged && ((sequence - this.#acknowledged) | 0) >= 0;
    return beyond < 0 && isUnconfirmed ? 0 : beyond;
  }

  /** How far `sequence` is beyond everything that has come or was acknowledged. */
  #beyondKnown(sequence: number): number {
    const beyond = this.ahead(sequence) - this.#length;
    return this.#anyAcknowledged ? Math.min(beyond, (sequence - this.#acknowledged) | 0) : beyond;
  }

  /** Length of everything from the next byte on that has come, including holes and the FIN. */
  get #length(): number {
    const queued = this.#queue.last;
    const cut = this.#cuts.last;
    const toQueued = queued === undefined ? 0 : this.ahead(queued.sequence) + queued.bytes.length;
    const toCut = cut === undefined ? 0 : this.ahead(cut.sequence) + cut.length;
    return Math.max(toQueued, toCut, this.#finOrigin === undefined ? 0 : this.ahead(this.#finAt) + 1);
  }

  /**
   * Whether `sequence` can be a number of this stream, as far as is known: it was handed over, or is not far beyond
   * everything that has come.
   */
  fits(sequence: number): boolean {
    if (!this.#started) return true;
    if (this.untouched && this.#allStarts.some((start) => this.#isAfter(sequence, start))) return true;
    return this.ahead(sequence) <= 0 ? this.covers(sequence) : this.#beyondKnown(sequence) <= this.#limits.resetWindow;
  }

  /** Whether `sequence` is the number of a byte that has been handed over or given up, or of the next one. */
  covers(sequence: number): boolean {
    const ahead = this.ahead(sequence);
    return ahead <= 0 && -ahead <= this.#passed;
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
    if (this.untouched) this.#chooseStart(sequence, this.#allStarts);
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
      ? [this.#base, ...this.#claimedStarts]
      : this.#anyAcknowledged
        ? [this.#acknowledged]
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
    this.#forgetStarts();
    this.#acceptAll([first]);
  }

  /** Takes a segment that is near enough. */
  #accept(sequence: number, bytes: Uint8Array, cut: number, fin: boolean, origin: Origin): void {
    const length = bytes.length + cut;
    if (
      fin &&
      this.#finOrigin === undefined &&
      this.ahead(sequence + length) >= 0 &&
      !this.#refutes(sequence + length)
    ) {
      this.#finAt = (sequence + length) | 0;
      this.#finOrigin = origin;
    }
    const afterFin = this.#finOrigin === undefined ? 0 : (sequence + length - this.#finAt) | 0;
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
      if (this.#proven !== undefined && ahead <= 0 && ahead + length > 0) this.#reconsiderProof(this.#proven);
      if (this.#history !== undefined && (ahead < 0 || this.#queue.count > 0)) {
        this.#compare(this.#history, sequence, bytes, origin);
      }
      if (ahead > 0) this.#hold(sequence, bytes, origin);
      // For 0, -ahead would be -0, which V8 does not treat as an integer: everything computed from it would be boxed.
      else if (ahead + bytes.length > 0) this.#fill(0 - ahead, bytes, origin);
      if (cut > 0) {
        if (this.#cuts === NO_CUTS) this.#cuts = new CutRanges();
        this.#cuts.add(this.#next, (sequence + bytes.length) | 0, cut, origin);
      }
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
    if (this.#anyAcknowledged && ((sequence - this.#acknowledged) | 0) <= 0) {
      if (sequence !== this.#acknowledged && ((at - this.#acknowledgedAt) | 0) > 0) this.#takeBack(sequence);
      return;
    }
    this.#chooseStart(sequence, this.#otherStarts);
    if (this.#isFar(sequence)) {
      const segment = this.#farNumbers.acknowledge(sequence);
      if (segment !== undefined) this.#acceptAll([segment]);
      else if (!this.#farNumbers.goesOn(sequence)) return;
    }
    // Before the SYN's number, although nothing else has come: the number of one of the two is wrong.
    if (this.#started && this.untouched && this.ahead(sequence) < 0) {
      this.#claimedStarts = withStart(this.#claimedStarts, sequence);
      return;
    }
    this.#acknowledged = sequence;
    this.#acknowledgedAt = at;
    this.#anyAcknowledged = true;
    if (this.#finOrigin !== undefined && !this.#finished && this.#refutes(this.#finAt)) this.#refuteFin();
    this.#settle();
  }

  /**
   * Takes back that bytes were acknowledged which have not come: the receiver has sent more since, and acknowledges
   * less. A receiver never takes anything back (RFC 9293, section 3.10.7.4), so it has not sent the higher number.
   */
  #takeBack(acknowledged: number): void {
    if (this.ahead(this.#acknowledged) <= 0) return;
    this.#acknowledged = acknowledged;
    if (this.#proven !== undefined && ((this.#proven - acknowledged) | 0) > 0) this.#proven = undefined;
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
    const { heldSegments, heldBytes } = this.#limits;
    if (this.#beyondFin === NONE_UNPROVEN) this.#beyondFin = [];
    const kept = this.#beyondFin.reduce((sum, other) => sum + other.bytes.length, rest.length);
    const segment = { sequence: (sequence + within) | 0, bytes: rest, cut: length - rest.length, fin, origin };
    if (this.#beyondFin.length >= heldSegments || kept > heldBytes) this.#refuseAll(segment);
    else this.#beyondFin.push(copyOf(segment));
  }

  /** Whether the receiver has acknowledged more than a FIN with this number. */
  #refutes(fin: number): boolean {
    return this.#anyAcknowledged && ((this.#acknowledged - fin) | 0) > 1;
  }

  /** Takes back the FIN: more than it was acknowledged. */
  #refuteFin(): void {
    this.#finOrigin = undefined;
    const beyond = this.#beyondFin;
    this.#beyondFin = NONE_UNPROVEN;
    this.#acceptAll(beyond);
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
    const before = behind - this.#passed;
    // A keep-alive may carry one arbitrary byte (RFC 9293, section 3.8.4).
    if (before > 0 && !(before === 1 && length === 1)) this.refuse(Math.min(before, length));
  }

  /** Gives up what is missing before this number: it was acknowledged long enough ago. */
  believe(sequence: number): void {
    if (((sequence - this.#acknowledged) | 0) > 0) return;
    if (this.#proven === undefined || ((sequence - this.#proven) | 0) > 0) this.#proven = sequence;
    this.#settle();
  }

  /** Gives up what is missing and hands over what is waiting: nothing more will come. */
  flush(origin: Origin): void {
    const first = this.#started ? undefined : this.#far?.giveUp();
    if (first !== undefined) this.#startWith(first);
    this.#refuseAll(this.#far?.giveUp());
    if (!this.#started || this.#finished) return;
    this.#flushing = true;
    // Where no acknowledgment decides, the sender does: nothing comes after its FIN.
    if (this.#beyondFin.length > 0 && !this.#isFinAcknowledged) this.#refuteFin();
    this.#settle();
    if (this.#finished || !this.#anyAcknowledged) return;
    // Acknowledged and never seen. A single number is more likely the FIN, which counts as one; it may be one of
    // several.
    const unseen = this.ahead(this.#acknowledged);
    if (unseen > 1) this.#giveUp(unseen, "lost", origin);
  }

  /** Goes on after a `flush`: more comes after all. */
  resume(): void {
    this.#flushing = false;
  }

  /**
   * Takes back that everything before `proven` was acknowledged, if that goes beyond the next bytes, which come only now:
   * the acknowledgment was wrong, or they are sent again, and will be acknowledged again.
   */
  #reconsiderProof(proven: number): void {
    if (this.ahead(proven) <= 0) return;
    this.#proven = undefined;
    this.#acknowledged = this.#next;
  }

  /** Hands over what is in order by now, and gives up holes that will not be filled. */
  #settle(): void {
    // Usually everything has come in order.
    if (this.#queue.count === 0 && this.#cuts.count === 0 && this.#finOrigin === undefined) return;
    while (this.#step()) {
      // Each step is one waiting segment or one hole.
    }
  }

  /** Hands over or gives up what is next; false if there is nothing to do, or it has to wait. */
  #step(): boolean {
    const first = this.#queue.first;
    const toFirst = first === undefined ? Number.POSITIVE_INFINITY : this.ahead(first.sequence);
    if (first !== undefined && toFirst <= 0) {
      this.#handOverFirst(first);
      return true;
    }
    const cut = this.#cuts.firstFrom(this.#next);
    const toCut = cut === undefined ? Number.POSITIVE_INFINITY : this.ahead(cut.sequence);
    if (cut !== undefined && toCut <= 0) {
      const length = Math.min(this.ahead(cut.sequence + cut.length), toFirst);
      const isAcknowledged = ((this.#acknowledged - this.#next) | 0) >= length;
      if (this.#anyAcknowledged && !isAcknowledged && !this.#isLost((this.#next + length) | 0)) return false;
      this.#giveUp(length, "cut", cut.origin);
      return true;
    }
    const known = toFirst < toCut ? first : cut;
    if (known !== undefined) {
      if (!this.#isLost(known.sequence)) return false;
      this.#giveUp(this.ahead(known.sequence), "lost", known.origin);
      return true;
    }
    return this.#finish();
  }

  /** Ends the direction once everything before its FIN has been dealt with; false, as there is no next step. */
  #finish(): boolean {
    if (this.#finOrigin === undefined || this.#finished) return false;
    const hole = this.ahead(this.#finAt);
    if (hole > 0) {
      if (!this.#isLost((this.#finAt + 1) | 0)) return false;
      this.#giveUp(hole, "lost", this.#finOrigin);
    }
    if (!this.#flushing && !this.#isFinAcknowledged) return false;
    this.#finished = true;
    this.#refuseAll(...this.#beyondFin);
    this.#beyondFin = NONE_UNPROVEN;
    this.#sink.finished(this.#side);
    return false;
  }

  get #isFinAcknowledged(): boolean {
    return this.#anyAcknowledged && ((this.#acknowledged - this.#finAt) | 0) > 0;
  }

  /** Whether a hole that ends before `sequence` will not be filled. */
  #isLost(sequence: number): boolean {
    if (this.#flushing || (this.#proven !== undefined && ((this.#proven - sequence) | 0) >= 0)) return true;
    const limit = this.#exceeded();
    if (limit !== undefined) this.#total.reached?.(limit);
    return limit !== undefined;
  }

  /** The limit that the waiting bytes exceed. */
  #exceeded(): LimitName | undefined {
    const { heldBytes, heldSegments, heldBytesInAll } = this.#limits;
    if (this.#queue.count + this.#cuts.count > heldSegments) return "heldSegments";
    if (this.#queuedBytes > heldBytes) return "heldBytes";
    return this.#queue.count > 0 && this.#total.bytes > heldBytesInAll ? "heldBytesInAll" : undefined;
  }

  #giveUp(length: number, reason: GapReason, origin: Origin): void {
    this.isLosing = reason === "lost";
    this.#advance(length);
    this.#sink.gap(this.#side, length, reason, origin);
  }

  #handOverFirst(first: OutOfOrderSegment): void {
    this.#queue.takeFirst();
    this.#account();
    this.#emit(first.bytes, 0, first.bytes.length, first.origin);
  }

  #advance(length: number): void {
    this.#next = (this.#next + length) | 0;
    this.#passed += length;
  }

  /** Hands over a segment from `start` to `end`. */
  #emit(bytes: Uint8Array, start: number, end: number, origin: Origin): void {
    if (start >= end) return;
    const part = start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
    this.#history?.add(this.#next, part);
    this.#advance(end - start);
    this.isLosing = false;
    this.#sink.bytes(this.#side, part, origin);
  }

  /**
   * Hands over a segment that has the next byte at `offset`. Waiting segments came earlier, so where both have bytes
   * theirs are used.
   */
  #fill(offset: number, bytes: Uint8Array, origin: Origin): void {
    const { length } = bytes;
    let at = offset;
    while (at < length) {
      const first = this.#queue.first;
      if (first === undefined) {
        this.#emit(bytes, at, length, origin);
        return;
      }
      const end = Math.min(length, at + this.ahead(first.sequence));
      this.#emit(bytes, at, end, origin);
      if (this.ahead(first.sequence) > 0) return;
      this.#handOverFirst(first);
      at = end + first.bytes.length;
    }
  }

  #hold(sequence: number, bytes: Uint8Array, origin: Origin): void {
    if (this.#queue === EMPTY_QUEUE) this.#queue = new OutOfOrderQueue();
    const before = this.#queue.bytes;
    this.#queue.add(this.#next, sequence, bytes, origin);
    this.#account();
    if (this.#queue.bytes > before) this.#sink.outOfOrder(this.#side, this.#queue.bytes - before, origin);
  }

  /** Compares a segment with the bytes that have been handed over or are waiting. */
  #compare(history: History, sequence: number, bytes: Uint8Array, origin: Origin): void {
    const ahead = this.ahead(sequence);
    // A keep-alive may carry one arbitrary byte (RFC 9293, section 3.8.4).
    if (ahead === -1 && bytes.length === 1) return;
    let differing = ahead < 0 ? history.differing(sequence, bytes.subarray(0, -ahead)) : 0;
    differing += this.#queue.differing(this.#next, sequence, bytes);
    if (differing > 0) this.#sink.conflict(this.#side, differing, origin);
  }

  #account(): void {
    const { bytes, count } = this.#queue;
    const cost = bytes + count * this.#limits.heldOverhead;
    this.#total.bytes += cost - this.#queuedBytes;
    this.#queuedBytes = cost;
  }
}
