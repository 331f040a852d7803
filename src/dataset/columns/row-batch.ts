import type { Leaf } from "./leaf.js";
import { NumberValues } from "./number-values.js";

/** How many rows are held at first, and at most. */
const FEWEST = 4;
const MOST = 64;

/**
 * Rows side by side, before they are taken apart into columns: it takes much less time to add many values to one leaf
 * than one value to each of many, whose memory is far apart. They have the values and levels of leaves that are in no
 * list.
 */
export class RowBatch {
  numbers = new Float64Array(0);
  levels = new Uint8Array(0);
  /** How many places there are for a row. */
  stride = 0;
  count = 0;
  /** The row that the first one here is in the table. */
  first = 0;
  readonly #slots = new Map<Leaf, number>();
  #capacity = 0;

  /** The place of a leaf in each row. */
  slotOf(leaf: Leaf): number {
    const known = this.#slots.get(leaf);
    if (known !== undefined) return known;
    this.flush();
    const slot = this.stride;
    this.#slots.set(leaf, slot);
    this.stride += leaf.values instanceof NumberValues && leaf.values.isWide ? 2 : 1;
    this.#resize(this.#capacity);
    return slot;
  }

  /** Begins a row whose levels are all 0; returns its first place. */
  begin(): number {
    if (this.count === this.#capacity) {
      if (this.count < MOST) this.#resize(Math.max(FEWEST, 2 * this.count));
      else this.flush();
    }
    return this.stride * this.count++;
  }

  /** Adds all rows to the leaves. */
  flush(): void {
    const { numbers, levels, stride, count } = this;
    if (count === 0) return;
    const rows = { numbers, levels, stride, count, first: 0, level: 0 };
    for (const [leaf, first] of this.#slots) {
      if (leaf.isEmpty && !this.#hasLevels(first)) continue;
      leaf.complete(this.first);
      leaf.addLevels(levels, first, stride, count);
      rows.first = first;
      rows.level = leaf.deepest;
      leaf.values.addColumn(rows);
    }
    levels.fill(0, 0, stride * count);
    this.first += count;
    this.count = 0;
  }

  #hasLevels(first: number): boolean {
    const { levels, stride, count } = this;
    for (let row = 0, at = first; row < count; row++, at += stride) if (levels[at] !== 0) return true;
    return false;
  }

  #resize(capacity: number): void {
    const length = capacity * this.stride;
    const [numbers, levels] = [this.numbers, this.levels];
    this.numbers = new Float64Array(length);
    this.levels = new Uint8Array(length);
    // A row keeps its place only as long as there are no more leaves: then there are no rows.
    if (this.count > 0) {
      this.numbers.set(numbers);
      this.levels.set(levels);
    }
    this.#capacity = capacity;
  }
}
