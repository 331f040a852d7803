import { Spans } from "./spans.js";
import { sequenceLength } from "./suspended-segments.js";
import { TcpFlag, type TcpSegment } from "./tcp.js";

/** What one side has sent since an RST. Each further segment asks for it, so nothing here goes through all of it. */
export class SentSince {
  readonly #segments: Readonly<TcpSegment>[] = [];
  readonly #sequences = new Set<number>();
  readonly #spans = new Spans();
  /** Where `nextFrom` has begun, how far it has come, and how many segments it has taken in. */
  #from = 0;
  #next = 0;
  #taken = 0;

  add(segment: Readonly<TcpSegment>): void {
    this.#segments.push(segment);
    this.#sequences.add(segment.sequence);
    this.#spans.add(segment.sequence, sequenceLength(segment));
  }

  /** Whether a segment has this number. */
  has(sequence: number): boolean {
    return this.#sequences.has(sequence);
  }

  /** Whether a number acknowledges a segment that begins at most `window` before it. */
  isAcknowledgedBy(acknowledgment: number, window: number): boolean {
    // More than half of all numbers are not before it, but after it.
    const furthest = Math.min(window, 0x7fff_ffff);
    return this.#spans.hasWithin(acknowledgment - furthest, furthest);
  }

  /** The number after the last one, as far as they go on from the given one. */
  nextFrom(from: number): number {
    if (from !== this.#from) {
      this.#from = from;
      this.#taken = 0;
    }
    if (this.#taken === 0) this.#next = from;
    for (; this.#taken < this.#segments.length; this.#taken++) this.#goOn(this.#segments[this.#taken]);
    return this.#next;
  }

  #goOn(segment: Readonly<TcpSegment> | undefined): void {
    // A SYN after an RST is no part of the connection.
    if (segment === undefined || (segment.flags & TcpFlag.syn) !== 0) return;
    if (((segment.sequence - this.#next) | 0) > 0) return;
    const end = (segment.sequence + sequenceLength(segment)) | 0;
    if (((end - this.#next) | 0) > 0) this.#next = end;
  }
}
