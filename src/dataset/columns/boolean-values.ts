import type { Value } from "../table.js";
import { GrowingBytes, type Memory } from "./growing.js";
import type { Encoded, Rows, Values, ValuesPart } from "./values.js";

/** Truth values. */
export class BooleanValues implements Values {
  readonly isCopyable = true;
  readonly #bytes: GrowingBytes;

  constructor(memory: Memory) {
    this.#bytes = new GrowingBytes(memory);
  }

  get count(): number {
    return this.#bytes.length;
  }

  add(value: Value): boolean {
    if (typeof value !== "boolean" && typeof value !== "number") return false;
    this.#bytes.push(Number(value !== false && value !== 0));
    return true;
  }

  put(value: Value, numbers: Float64Array, at: number): boolean {
    if (typeof value !== "boolean" && typeof value !== "number") return false;
    numbers[at] = Number(value);
    return true;
  }

  addColumn({ numbers, levels, first, stride, count, level }: Rows): void {
    for (let row = 0, at = first; row < count; row++, at += stride) {
      if (levels[at] === level) this.#bytes.push(numbers[at] === 0 ? 0 : 1);
    }
  }

  drop(count: number): void {
    this.#bytes.length -= count;
  }

  get size(): number {
    return this.#bytes.length;
  }

  get part(): ValuesPart {
    return { bytes: this.#bytes.taken, isExact: true };
  }

  append({ bytes }: ValuesPart): void {
    this.#bytes.append(bytes);
  }

  encoded(): Encoded {
    return { bytes: this.#bytes.taken, count: this.count };
  }

  clear(): void {
    this.#bytes.clear();
  }
}
