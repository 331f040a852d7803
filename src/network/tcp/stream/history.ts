import type { RecentBytes } from "./recent-bytes.js";

/** The last bytes of one TCP direction, as far as they are still in the ring that all directions share. */
export class History {
  readonly #recent: RecentBytes;
  readonly #most: number;
  /** The last range. */
  #latest = -1;

  /** @param most ranges to look at: a new one begins whenever others have put bytes into the ring. */
  constructor(recent: RecentBytes, most: number) {
    this.#recent = recent;
    this.#most = most;
  }

  /** Remembers the bytes from a sequence number on. */
  add(sequence: number, bytes: Uint8Array): void {
    const { ranges, length: kept } = this.#recent;
    const place = this.#recent.put(bytes);
    const latest = this.#latest;
    const isCurrent = ranges.isNewest(latest) && ranges.knows(latest);
    const length = isCurrent ? ranges.length(latest) : 0;
    if (!isCurrent || ((ranges.sequence(latest) + length) | 0) !== sequence) {
      this.#latest = ranges.add(sequence, place, bytes.length, latest);
      return;
    }
    const gone = Math.max(0, length + bytes.length - kept);
    const first = (ranges.sequence(latest) + gone) | 0;
    ranges.change(latest, first, ranges.place(latest) + gone, length + bytes.length - gone);
  }

  /**
   * Counts the bytes from a sequence number on that differ from those that came before, as far as these are still
   * known.
   */
  differing(sequence: number, bytes: Uint8Array): number {
    const { ranges } = this.#recent;
    let count = 0;
    let range = this.#latest;
    for (let left = this.#most; left > 0 && ranges.knows(range); left--) {
      const offset = (sequence - ranges.sequence(range)) | 0;
      const start = Math.max(0, -offset);
      const end = Math.min(bytes.length, ranges.length(range) - offset);
      if (start < end) count += this.#recent.differing(ranges.place(range) + offset + start, bytes, start, end);
      range = ranges.before(range);
    }
    return count;
  }
}
