import { RecentStretches } from "./recent-stretches.js";

/**
 * The bytes that were handed over last, of all streams together: a ring that is written round and round. Places in it
 * are counted from the first byte ever put into it, so that they tell whether a byte is still there.
 */
export class RecentBytes {
  /** Whose bytes lie where. */
  readonly stretches = new RecentStretches();
  readonly #ring: Uint8Array;
  #written = 0;
  /** Where the next byte goes. */
  #at = 0;

  /** @param length bytes that are kept. */
  constructor(length: number) {
    this.#ring = new Uint8Array(length);
  }

  /** Bytes that are kept. */
  get length(): number {
    return this.#ring.length;
  }

  /** Puts bytes in; returns the place of the first one. Of what is longer than the ring only the end is kept. */
  put(bytes: Uint8Array): number {
    const ring = this.#ring;
    const place = this.#written;
    const end = this.#at + bytes.length;
    this.#written += bytes.length;
    this.stretches.forget(this.#written - ring.length);
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

  /**
   * How many of the bytes from `start` up to `end` are not those at a place; what is no longer there is not compared.
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
