import { RecentRanges } from "./recent-ranges.js";

/**
 * The bytes handed over last, of all streams together, in a ring buffer. Places in it are counted from the first byte
 * ever put in, so they show whether a byte is still there.
 */
export class RecentBytes {
  /** Which stream's bytes are where. */
  readonly ranges = new RecentRanges();
  /** Grows to its length with what is put in: many captures have few bytes, or none. */
  #ring = new Uint8Array(0);
  #written = 0;
  /** Where the next byte goes. */
  #at = 0;

  /** @param length number of bytes kept. */
  constructor(readonly length: number) {}

  /** Puts bytes in; returns the place of the first one. Only the end is kept of bytes that are longer than the ring. */
  put(bytes: Uint8Array): number {
    if (this.#ring.length < this.length) this.#grow(this.#written + bytes.length);
    const ring = this.#ring;
    const place = this.#written;
    const end = this.#at + bytes.length;
    this.#written += bytes.length;
    this.ranges.forget(this.#written - this.length);
    if (end < ring.length) {
      ring.set(bytes, this.#at);
      this.#at = end;
    } else {
      const kept = bytes.subarray(Math.max(0, bytes.length - ring.length));
      const at = this.#written - kept.length;
      const start = at % ring.length;
      ring.set(kept.subarray(0, ring.length - start), start);
      ring.set(kept.subarray(ring.length - start), 0);
      this.#at = this.#written % ring.length;
    }
    return place;
  }

  /** Makes room for so many bytes, as far as the ring may grow. Until then, nothing in it is overwritten. */
  #grow(needed: number): void {
    const { length } = this.#ring;
    if (needed <= length) return;
    const larger = new Uint8Array(Math.min(this.length, Math.max(needed, 2 * length)));
    larger.set(this.#ring);
    this.#ring = larger;
    this.#at = this.#written;
  }

  /**
   * Counts the bytes from `start` up to `end` that differ from those at a place; bytes no longer in the ring are not
   * compared.
   */
  differing(place: number, bytes: Uint8Array, start: number, end: number): number {
    const ring = this.#ring;
    const gone = Math.max(0, this.#written - ring.length - place);
    let count = 0;
    let at = (place + gone) % ring.length;
    for (let index = start + gone; index < end; index++) {
      if (ring[at] !== bytes[index]) count++;
      if (++at === ring.length) at = 0;
    }
    return count;
  }
}
