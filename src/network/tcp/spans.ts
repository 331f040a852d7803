/** Half of all sequence numbers; after the last one comes the first again (RFC 9293, section 3.4). */
const HALF = 0x8000_0000;

/**
 * Spans of sequence numbers, less than half of all each, of which those that contain another one are left out: so their
 * ends have the same order as their starts, and the first one after a number ends first, too.
 */
export class Spans {
  /** Their first numbers, in ascending order, and their lengths. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];

  add(sequence: number, length: number): void {
    if (length >= HALF) return;
    const start = sequence >>> 0;
    let at = this.#firstFrom(start);
    const next = at % this.#starts.length;
    if (this.#starts.length > 0 && distance(start, this.#startOf(next)) + this.#lengthOf(next) <= length) return;
    if (this.#starts[at] === start) this.#remove(at);
    for (let last = this.#before(at); this.#contains(last, start, length); last = this.#before(at)) {
      this.#remove(last);
      if (last < at) at--;
    }
    this.#starts.splice(at, 0, start);
    this.#lengths.splice(at, 0, length);
  }

  /** Whether there is one from a number on that ends, at the latest, the given length further. */
  hasWithin(sequence: number, length: number): boolean {
    if (this.#starts.length === 0) return false;
    const start = sequence >>> 0;
    const next = this.#firstFrom(start) % this.#starts.length;
    return distance(start, this.#startOf(next)) + this.#lengthOf(next) <= length;
  }

  /** The index of the first one that starts at a number or after it. */
  #firstFrom(start: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#startOf(middle) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #before(at: number): number {
    return at > 0 ? at - 1 : this.#starts.length - 1;
  }

  #contains(at: number, start: number, length: number): boolean {
    return at >= 0 && distance(this.#startOf(at), start) + length <= this.#lengthOf(at);
  }

  #remove(at: number): void {
    this.#starts.splice(at, 1);
    this.#lengths.splice(at, 1);
  }

  #startOf(at: number): number {
    return this.#starts[at] ?? 0;
  }

  #lengthOf(at: number): number {
    return this.#lengths[at] ?? 0;
  }
}

/** How far a number is after another one. */
function distance(from: number, to: number): number {
  return (to - from) >>> 0;
}
