import type { Value } from "../table.js";
import { GrowingBytes, type Memory } from "./growing.js";
import type { Encoded, Values } from "./values.js";

/** Truth values. */
export class BooleanValues implements Values {
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

  drop(count: number): void {
    this.#bytes.length -= count;
  }

  encoded(): Encoded {
    return { bytes: this.#bytes.taken, count: this.count };
  }

  clear(): void {
    this.#bytes.clear();
  }
}
