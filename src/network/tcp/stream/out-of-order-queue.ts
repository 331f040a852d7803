import type { Origin } from "../../conversation.js";

/** A segment that arrived before earlier parts of its stream, or the part of it that no earlier arrival brought. */
export interface OutOfOrderSegment {
  /** Sequence number of its first byte, signed. */
  readonly sequence: number;
  /** A copy of what was captured. */
  readonly bytes: Uint8Array;
  readonly origin: Origin;
}

/**
 * The segments of one TCP direction that wait for others, in order and without overlaps. All of them are beyond `next`,
 * the number of the next byte to hand over.
 */
export class OutOfOrderQueue {
  readonly #segments: OutOfOrderSegment[] = [];
  #bytes = 0;

  get count(): number {
    return this.#segments.length;
  }

  /** Total number of their bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get first(): OutOfOrderSegment | undefined {
    return this.#segments[0];
  }

  get last(): OutOfOrderSegment | undefined {
    return this.#segments.at(-1);
  }

  takeFirst(): void {
    this.#bytes -= this.#segments.shift()?.bytes.length ?? 0;
  }

  /** Keeps copies of the parts of a segment that are not in the queue yet. */
  add(next: number, sequence: number, bytes: Uint8Array, origin: Origin): void {
    const ahead = (sequence - next) | 0;
    const end = ahead + bytes.length;
    let index = this.#firstEndingBeyond(next, ahead);
    let at = ahead;
    while (at < end) {
      const other = this.#segments[index];
      const start = other === undefined ? end : Math.min(end, (other.sequence - next) | 0);
      if (start > at) {
        // Not `slice`: that of a Buffer does not copy.
        const copy = new Uint8Array(bytes.subarray(at - ahead, start - ahead));
        this.#segments.splice(index++, 0, { sequence: (next + at) | 0, bytes: copy, origin });
        this.#bytes += copy.length;
      }
      if (other === undefined) return;
      at = ((other.sequence - next) | 0) + other.bytes.length;
      index++;
    }
  }

  /** Counts the bytes of a segment that are in the queue and differ. */
  differing(next: number, sequence: number, bytes: Uint8Array): number {
    const segments = this.#segments;
    const ahead = (sequence - next) | 0;
    let count = 0;
    for (let index = this.#firstEndingBeyond(next, ahead); index < segments.length; index++) {
      const other = segments[index];
      const offset = other === undefined ? bytes.length : ((other.sequence - next) | 0) - ahead;
      if (other === undefined || offset >= bytes.length) break;
      for (let at = Math.max(0, offset); at < bytes.length && at - offset < other.bytes.length; at++) {
        if (bytes[at] !== other.bytes[at - offset]) count++;
      }
    }
    return count;
  }

  /** Index of the first segment that ends beyond the given place. Usually there is none: segments come in order. */
  #firstEndingBeyond(next: number, ahead: number): number {
    const segments = this.#segments;
    let low = 0;
    let high = segments.length;
    let middle = high - 1;
    while (low < high) {
      const segment = segments[middle];
      if (segment !== undefined && ((segment.sequence - next) | 0) + segment.bytes.length > ahead) high = middle;
      else low = middle + 1;
      middle = (low + high) >>> 1;
    }
    return low;
  }
}
