import type { Origin } from "../../conversation.js";

/** Bytes that were sent, but cut off by the snap length. */
export interface CutRange {
  /** Sequence number of the first byte, signed. */
  readonly sequence: number;
  readonly length: number;
  /** The packet that they were in. */
  readonly origin: Origin;
}

/** The ranges of one TCP direction that were cut, in order; some of their bytes may have come in other segments. */
export class CutRanges {
  readonly #ranges: CutRange[] = [];

  get count(): number {
    return this.#ranges.length;
  }

  get last(): CutRange | undefined {
    return this.#ranges.at(-1);
  }

  /** The first range that does not end before `next`; those that do are forgotten. */
  firstFrom(next: number): CutRange | undefined {
    const ranges = this.#ranges;
    let [first] = ranges;
    while (first !== undefined && ((first.sequence + first.length - next) | 0) <= 0) {
      ranges.shift();
      [first] = ranges;
    }
    return first;
  }

  /** Records the bytes of a range that are not before `next` and not recorded yet. */
  add(next: number, sequence: number, length: number, origin: Origin): void {
    const ranges = this.#ranges;
    const end = ((sequence - next) | 0) + length;
    let at = Math.max(0, (sequence - next) | 0);
    let index = 0;
    while (at < end) {
      const other = ranges[index];
      const otherStart = other === undefined ? end : (other.sequence - next) | 0;
      if (otherStart > at) {
        const until = Math.min(end, otherStart);
        ranges.splice(index++, 0, { sequence: (next + at) | 0, length: until - at, origin });
        at = until;
      }
      if (other === undefined) return;
      at = Math.max(at, otherStart + other.length);
      index++;
    }
  }
}
