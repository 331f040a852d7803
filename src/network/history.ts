import type { RecentBytes } from "./recent-bytes.js";

interface Stretch {
  /** Number of the first byte, signed. */
  sequence: number;
  /** Place of the first byte in the ring. */
  place: number;
  length: number;
}

/** What one TCP direction brought last, as far as it is still in the ring that all directions share. */
export class History {
  readonly #recent: RecentBytes;
  readonly #most: number;
  readonly #stretches: Stretch[] = [];

  /** @param most stretches that are remembered: between two of them others have put theirs into the ring. */
  constructor(recent: RecentBytes, most: number) {
    this.#recent = recent;
    this.#most = most;
  }

  /** Remembers the bytes from a sequence number on. */
  add(sequence: number, bytes: Uint8Array): void {
    const place = this.#recent.put(bytes);
    const last = this.#stretches.at(-1);
    if (last !== undefined && last.place + last.length === place && ((last.sequence + last.length) | 0) === sequence) {
      last.length += bytes.length;
      const gone = last.length - this.#recent.length;
      if (gone <= 0) return;
      last.sequence = (last.sequence + gone) | 0;
      last.place += gone;
      last.length -= gone;
      return;
    }
    this.#stretches.push({ sequence, place, length: bytes.length });
    if (this.#stretches.length > this.#most) this.#stretches.shift();
  }

  /** How many of the bytes from a sequence number on are not those that were there before, as far as that is known. */
  differing(sequence: number, bytes: Uint8Array): number {
    let count = 0;
    for (const stretch of this.#stretches) {
      const offset = (sequence - stretch.sequence) | 0;
      const start = Math.max(0, -offset);
      const end = Math.min(bytes.length, stretch.length - offset);
      if (start < end) count += this.#recent.differing(stretch.place + offset + start, bytes, start, end);
    }
    return count;
  }
}
