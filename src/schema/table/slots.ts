import { claimedLength, type Field, REST } from "../language/field.js";

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
  lengthOf(field: Field, slots: number): number {
    const { slot, plus } = field.length;
    if (slot < 0) return slot === REST ? REST : plus;
    return claimedLength(field.length, asInteger(this.get(slots + slot)));
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
