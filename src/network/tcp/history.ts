import type { RecentBytes } from "./recent-bytes.js";

/** The last bytes of one TCP direction, as far as they are still in the ring that all directions share. */
export class History {
  readonly #recent: RecentBytes;
  readonly #most: number;
  /** The last stretch. */
  #latest = -1;

  /** @param most stretches to look at: a new one begins whenever others have put bytes into the ring. */
  constructor(recent: RecentBytes, most: number) {
    this.#recent = recent;
    this.#most = most;
  }

  /** Remembers the bytes from a sequence number on. */
  add(sequence: number, bytes: Uint8Array): void {
    const { stretches, length: kept } = this.#recent;
    const place = this.#recent.put(bytes);
    const latest = this.#latest;
    const isCurrent = stretches.isNewest(latest) && stretches.knows(latest);
    const length = isCurrent ? stretches.length(latest) : 0;
    if (!isCurrent || ((stretches.sequence(latest) + length) | 0) !== sequence) {
      this.#latest = stretches.add(sequence, place, bytes.length, latest);
      return;
    }
    const gone = Math.max(0, length + bytes.length - kept);
    const first = (stretches.sequence(latest) + gone) | 0;
    stretches.change(latest, first, stretches.place(latest) + gone, length + bytes.length - gone);
  }

  /**
   * Counts the bytes from a sequence number on that differ from those that came before, as far as these are still
   * known.
   */
  differing(sequence: number, bytes: Uint8Array): number {
    const { stretches } = this.#recent;
    let count = 0;
    let stretch = this.#latest;
    for (let left = this.#most; left > 0 && stretches.knows(stretch); left--) {
      const offset = (sequence - stretches.sequence(stretch)) | 0;
      const start = Math.max(0, -offset);
      const end = Math.min(bytes.length, stretches.length(stretch) - offset);
      if (start < end) count += this.#recent.differing(stretches.place(stretch) + offset + start, bytes, start, end);
      stretch = stretches.before(stretch);
    }
    return count;
  }
}
