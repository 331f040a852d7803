import { claimedLength } from "../language/length.js";
import { type FieldEntry, REST } from "./struct-table.js";

/** Numbers that later fields use; those of a struct follow those of the struct around it. */
export class Slots {
  #numbers = new Float64Array(1024);

  get(slot: number): number {
    return this.#numbers[slot] ?? 0;
  }

  set(slot: number, number: number): void {
    this.#numbers[slot] = number;
  }

  /** Makes sure that there are this many. */
  reserve(count: number): void {
    if (count <= this.#numbers.length) return;
    const larger = new Float64Array(Math.max(this.#numbers.length * 2, count));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  /**
   * Returns the length of a field: `REST`, or a number, which is negative if the bytes claim so.
   *
   * @param slots where the numbers of its struct begin
   */
  lengthOf({ length, lengthSlot }: FieldEntry, slots: number): number {
    if (lengthSlot < 0) return lengthSlot === REST ? REST : length.plus;
    return claimedLength(length, asInteger(this.get(slots + lengthSlot)));
  }
}

/**
 * Returns the same number as V8 represents small integers. Everything computed from it, which is every position, would
 * otherwise be a boxed floating-point number.
 */
function asInteger(value: number): number {
  const integer = value | 0;
  return integer === value ? integer : value;
}
