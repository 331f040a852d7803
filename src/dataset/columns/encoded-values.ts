import { Distinct } from "./distinct.js";
import { GrowingBytes, type Memory } from "./growing.js";
import type { Encoded } from "./values.js";

/** Values as bytes: the different ones only, as long as that halves them, else all one after the other. */
export class EncodedValues {
  readonly bytes: GrowingBytes;
  readonly distinct: Distinct;
  /** True while values are told apart. */
  isDistinct: boolean;
  /** False if one of the different values may have been taken away. */
  isExact = true;
  count = 0;
  /** Grows whenever the positions of the different values are no longer what they were. */
  generation = 0;

  /** @param isUnique true for values that hardly ever repeat: they are not told apart */
  constructor(
    memory: Memory,
    readonly isUnique: boolean,
  ) {
    this.isDistinct = !isUnique;
    this.bytes = new GrowingBytes(memory);
    this.distinct = new Distinct(this.bytes, memory);
  }

  /** Adds the value whose bytes were written behind those of the others. @param end where they end */
  add(end: number): void {
    this.count++;
    if (!this.isDistinct) this.bytes.length = end;
    else if (this.distinct.add(end)) this.#settle();
  }

  /** Which of the different values the last one was; -1 if that is not known. */
  get lastIndex(): number {
    const { numbers, length } = this.distinct.indexes;
    return this.isDistinct ? (numbers[length - 1] ?? -1) : -1;
  }

  /** Adds one of the different values again. */
  repeat(index: number): void {
    this.count++;
    this.distinct.repeat(index);
  }

  repeatTimes(index: number, times: number): void {
    this.count += times;
    this.distinct.repeatTimes(index, times);
  }

  /** Takes the last values away. @param startOf where a value begins, if all are one after the other */
  drop(count: number, startOf: (value: number) => number): void {
    if (count === 0) return;
    this.isExact = false;
    this.count -= count;
    if (this.isDistinct) this.distinct.indexes.length -= count;
    else this.bytes.length = startOf(this.count);
  }

  encoded(): Encoded {
    this.#settle();
    const bytes = this.bytes.taken;
    if (!this.isDistinct) return { bytes, count: this.count };
    return { bytes, count: this.distinct.size, indexes: this.distinct.indexes.taken };
  }

  clear(): void {
    this.distinct.clear();
    this.bytes.clear();
    this.isDistinct = !this.isUnique;
    this.isExact = true;
    this.count = 0;
    this.generation++;
  }

  /** Goes on without telling the values apart, if that saves nothing. */
  #settle(): void {
    const { bytes, distinct } = this;
    if (!this.isDistinct || !distinct.isVain) return;
    this.isDistinct = false;
    this.generation++;
    const different = bytes.taken.slice();
    bytes.length = 0;
    for (const value of distinct.indexes.taken) {
      bytes.append(different.subarray(distinct.startOf(value), distinct.endOf(value)));
    }
    distinct.clear();
  }
}
