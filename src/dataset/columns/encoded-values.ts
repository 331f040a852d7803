import { Distinct } from "./distinct.js";
import { GrowingBytes, type Memory } from "./growing.js";
import type { Encoded, Rows, ValuesPart } from "./values.js";

/** What stands for a value that is not told apart from others. */
const NOT_TOLD_APART = -1;

/**
 * Values as bytes: the different ones only, as long as that halves them, else all one after the other. A value is
 * entered, which finds out which of the different ones it is, and then taken, alone or with those of other rows.
 */
export class EncodedValues {
  readonly bytes: GrowingBytes;
  readonly distinct: Distinct;
  /** True while values are told apart. */
  isDistinct: boolean;
  /** False if one of the different values may not have been taken. */
  isExact = true;
  /** Which of the different values was entered last; -1 if they are not told apart. */
  entered = NOT_TOLD_APART;
  /** Grows whenever the positions of the different values are no longer what they were. */
  generation = 0;
  /** How many values there are, if they are not told apart. */
  #count = 0;

  /** @param isUnique true for values that hardly ever repeat: they are not told apart */
  constructor(
    memory: Memory,
    readonly isUnique: boolean,
  ) {
    this.isDistinct = !isUnique;
    this.bytes = new GrowingBytes(memory);
    this.distinct = new Distinct(this.bytes, memory);
  }

  get count(): number {
    return this.isDistinct ? this.distinct.indexes.length : this.#count;
  }

  /** Enters the value whose bytes were written behind those of the others. @param end where they end */
  enter(end: number): void {
    if (this.isDistinct) {
      this.entered = this.distinct.find(end);
      return;
    }
    this.bytes.length = end;
    this.#count++;
  }

  /** Takes the value that was entered. */
  take(): void {
    if (!this.isDistinct) return;
    this.distinct.indexes.push(this.entered);
  }

  /** Takes some of the different values again, which were entered while values are told apart. */
  takeAgain(again: readonly number[]): void {
    const { indexes } = this.distinct;
    indexes.reserve(again.length);
    const { numbers } = indexes;
    let { length } = indexes;
    for (let at = 0; at < again.length; at++) numbers[length++] = again[at] ?? 0;
    indexes.length = length;
  }

  /** Takes the value that was entered several times, if it is told apart from others; else only once. */
  takeTimes(times: number): void {
    if (this.isDistinct) this.distinct.indexes.fill(this.entered, times);
  }

  /** Takes the values of rows: which of the different ones they are. @see Rows */
  takeColumn({ numbers, levels, first, stride, count, level }: Rows): void {
    if (!this.isDistinct) return;
    const { indexes } = this.distinct;
    indexes.reserve(count);
    const { numbers: taken } = indexes;
    let { length } = indexes;
    for (let row = 0, at = first; row < count; row++, at += stride) {
      if (levels[at] === level) taken[length++] = numbers[at] ?? 0;
    }
    indexes.length = length;
  }

  /**
   * Gives up the last values: those that were entered, but not taken, if they are told apart; else, those that were
   * entered.
   *
   * @param startOf where a value begins, if all are one after the other
   */
  giveUp(count: number, startOf: (value: number) => number): void {
    this.isExact = false;
    if (this.isDistinct) return;
    this.#count -= count;
    this.bytes.length = startOf(this.#count);
  }

  /** Takes the last values away. @param startOf where a value begins, if all are one after the other */
  drop(count: number, startOf: (value: number) => number): void {
    if (count === 0) return;
    if (this.isDistinct) this.distinct.indexes.length -= count;
    this.giveUp(count, startOf);
  }

  /** How many bytes they take. */
  get size(): number {
    return this.bytes.length + 4 * this.distinct.indexes.length;
  }

  get part(): ValuesPart {
    const { isExact } = this;
    const bytes = this.bytes.taken;
    return this.isDistinct ? { bytes, indexes: this.distinct.indexes.taken, isExact } : { bytes, isExact };
  }

  encoded(): Encoded {
    // Looked at only at the end: what is written must not depend on when somebody looks.
    if (this.isDistinct && this.distinct.isVain()) this.#giveUpDistinct();
    const bytes = this.bytes.taken;
    if (!this.isDistinct) return { bytes, count: this.count };
    return { bytes, count: this.distinct.size, indexes: this.distinct.indexes.taken };
  }

  clear(): void {
    this.distinct.clear();
    this.bytes.clear();
    this.isDistinct = !this.isUnique;
    this.isExact = true;
    this.entered = NOT_TOLD_APART;
    this.#count = 0;
    this.generation++;
  }

  /** Goes on without telling the values apart. */
  #giveUpDistinct(): void {
    const { bytes, distinct } = this;
    this.isDistinct = false;
    this.generation++;
    this.entered = NOT_TOLD_APART;
    this.#count = distinct.indexes.length;
    const different = bytes.taken.slice();
    bytes.length = 0;
    for (const value of distinct.indexes.taken) {
      bytes.append(different.subarray(distinct.startOf(value), distinct.endOf(value)));
    }
    distinct.clear();
  }
}
