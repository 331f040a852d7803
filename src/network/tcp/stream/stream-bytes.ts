import type { LimitName, Limits } from "../../../limits.js";
import type { GapReason, Origin } from "../../conversation.js";
import type { Side } from "../../tracked-conversation.js";
import { type CutRange, CutRanges } from "./cut-ranges.js";
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
  /** Called when a hole, or a segment that may count later, is given up because of a limit. */
  readonly reached?: (limit: LimitName) => void;
}

/** Shared by all directions in which everything comes in order: nothing is ever added to these. */
const EMPTY_QUEUE = new OutOfOrderQueue();
const NO_CUTS = new CutRanges();

/**
 * The bytes of one direction of a TCP connection: hands over what is next, and keeps what is beyond it. Of bytes that
 * come twice the first arrival counts.
 */
export class StreamBytes {
  /** Number of the next byte to hand over. */
  next = 0;
  /** Number of bytes handed over or given up; unlike the difference of two numbers it does not wrap around. */
  passed = 0;
  /** True if the last thing that happened was a loss: what is acknowledged next is likely to be lost as well. */
  isLosing = false;
  readonly #side: Side;
  readonly #sink: StreamSink;
  readonly #limits: Limits;
  readonly #total: QueuedTotal;
  readonly #history: History | undefined;
  #queue = EMPTY_QUEUE;
  /** Their estimated cost in memory. */
  #queuedBytes = 0;
  #cuts = NO_CUTS;

  /** @param recent where the last bytes are kept, if bytes that come again are to be compared with them. */
  constructor(side: Side, sink: StreamSink, limits: Limits, total: QueuedTotal, recent?: RecentBytes) {
    this.#side = side;
    this.#sink = sink;
    this.#limits = limits;
    this.#total = total;
    this.#history = recent && new History(recent, limits.recentStretches);
  }

  /** Whether anything waits beyond the next byte. */
  get waits(): boolean {
    return this.#queue.count > 0 || this.#cuts.count > 0;
  }

  /** The first segment that waits. */
  get first(): OutOfOrderSegment | undefined {
    return this.#queue.first;
  }

  /** The first range that was cut; those before the next byte are forgotten. */
  firstCut(): CutRange | undefined {
    return this.#cuts.firstFrom(this.next);
  }

  /** Length of everything from the next byte on that has come, including holes. */
  get length(): number {
    const queued = this.#queue.last;
    const cut = this.#cuts.last;
    const toQueued = queued === undefined ? 0 : this.ahead(queued.sequence) + queued.bytes.length;
    const toCut = cut === undefined ? 0 : this.ahead(cut.sequence) + cut.length;
    return Math.max(toQueued, toCut);
  }

  /** The limit that the waiting bytes exceed. */
  get exceeded(): LimitName | undefined {
    const { heldBytes, heldSegments, heldBytesInAll } = this.#limits;
    if (this.#queue.count + this.#cuts.count > heldSegments) return "heldSegments";
    if (this.#queuedBytes > heldBytes) return "heldBytes";
    return this.#queue.count > 0 && this.#total.bytes > heldBytesInAll ? "heldBytesInAll" : undefined;
  }

  /** How far `sequence` is beyond the next byte; negative for bytes that have been handed over. */
  ahead(sequence: number): number {
    return (sequence - this.next) | 0;
  }

  /** Whether `sequence` is the number of a byte that has been handed over or given up, or of the next one. */
  covers(sequence: number): boolean {
    const ahead = this.ahead(sequence);
    return ahead <= 0 && -ahead <= this.passed;
  }

  /**
   * Hands over the payload of a segment, or keeps a copy until it is next.
   *
   * @param ahead how far its first byte is beyond the next one.
   * @param cut number of bytes after it that the snap length cut.
   */
  take(ahead: number, sequence: number, bytes: Uint8Array, cut: number, origin: Origin): void {
    if (this.#history !== undefined && (ahead < 0 || this.#queue.count > 0)) {
      this.#compare(this.#history, sequence, bytes, origin);
    }
    if (ahead > 0) this.#hold(sequence, bytes, origin);
    // For 0, -ahead would be -0, which V8 does not treat as an integer: everything computed from it would be boxed.
    else if (ahead + bytes.length > 0) this.#fill(0 - ahead, bytes, origin);
    if (cut > 0) {
      if (this.#cuts === NO_CUTS) this.#cuts = new CutRanges();
      this.#cuts.add(this.next, (sequence + bytes.length) | 0, cut, origin);
    }
  }

  /** Hands over the next bytes, before which nothing waits. */
  handOver(bytes: Uint8Array, origin: Origin): void {
    this.#emit(bytes, 0, bytes.length, origin);
  }

  handOverFirst(first: OutOfOrderSegment): void {
    this.#queue.takeFirst();
    this.#account();
    this.#emit(first.bytes, 0, first.bytes.length, first.origin);
  }

  giveUp(length: number, reason: GapReason, origin: Origin): void {
    this.isLosing = reason === "lost";
    this.#advance(length);
    this.#sink.gap(this.#side, length, reason, origin);
  }

  #advance(length: number): void {
    this.next = (this.next + length) | 0;
    this.passed += length;
  }

  /** Hands over a segment from `start` to `end`. */
  #emit(bytes: Uint8Array, start: number, end: number, origin: Origin): void {
    if (start >= end) return;
    const part = start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end);
    this.#history?.add(this.next, part);
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
      this.handOverFirst(first);
      at = end + first.bytes.length;
    }
  }

  #hold(sequence: number, bytes: Uint8Array, origin: Origin): void {
    if (this.#queue === EMPTY_QUEUE) this.#queue = new OutOfOrderQueue();
    const before = this.#queue.bytes;
    this.#queue.add(this.next, sequence, bytes, origin);
    this.#account();
    if (this.#queue.bytes > before) this.#sink.outOfOrder(this.#side, this.#queue.bytes - before, origin);
  }

  /** Compares a segment with the bytes that have been handed over or are waiting. */
  #compare(history: History, sequence: number, bytes: Uint8Array, origin: Origin): void {
    const ahead = this.ahead(sequence);
    // A keep-alive may carry one arbitrary byte (RFC 9293, section 3.8.4).
    if (ahead === -1 && bytes.length === 1) return;
    let differing = ahead < 0 ? history.differing(sequence, bytes.subarray(0, -ahead)) : 0;
    differing += this.#queue.differing(this.next, sequence, bytes);
    if (differing > 0) this.#sink.conflict(this.#side, differing, origin);
  }

  #account(): void {
    const { bytes, count } = this.#queue;
    const cost = bytes + count * this.#limits.heldOverhead;
    this.#total.bytes += cost - this.#queuedBytes;
    this.#queuedBytes = cost;
  }
}
