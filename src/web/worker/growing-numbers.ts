/** Unsigned 32-bit numbers, as many as needed; those that were not set are 0. */
export class GrowingNumbers {
  #numbers = new Uint32Array(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get(index: number): number {
    return this.#numbers[index] ?? 0;
  }

  set(index: number, value: number): void {
    if (index >= this.#numbers.length) {
      const larger = new Uint32Array(Math.max(index + 1, 2 * this.#numbers.length));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[index] = value;
    this.#length = Math.max(this.#length, index + 1);
  }

  push(value: number): void {
    this.set(this.#length, value);
  }

  /** Index of the first number that is not below a value, if they ascend. */
  firstFrom(value: number): number {
    let [low, high] = [0, this.#length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.get(middle) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
