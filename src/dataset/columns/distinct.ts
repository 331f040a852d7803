import { type GrowingBytes, GrowingNumbers, type Memory } from "./growing.js";

/** Places for values at first: a power of two, as always. */
const FEWEST = 16;
/**
 * How many places are tried: more are needed only for values that somebody has chosen to be slow. From then on, no two
 * values are taken to be the same.
 */
const MOST_TRIED = 256;

/**
 * Tells values apart by their bytes, which are kept once: the different ones one after the other, and which of them each
 * value is.
 */
export class Distinct {
  readonly indexes: GrowingNumbers;
  /** Where each of the different values ends, and its hash. */
  readonly #ends: GrowingNumbers;
  readonly #hashes: GrowingNumbers;
  /** Hash table: for each place, a number of a value plus one. */
  #places = new Int32Array(FEWEST);
  #isCrowded = false;

  /** @param bytes where the different values are */
  constructor(
    readonly bytes: GrowingBytes,
    memory: Memory,
  ) {
    this.indexes = new GrowingNumbers(memory);
    this.#ends = new GrowingNumbers(memory);
    this.#hashes = new GrowingNumbers(memory);
  }

  /** The number of different values. */
  get size(): number {
    return this.#ends.length;
  }

  /** What all values would take. */
  get #allBytes(): number {
    let bytes = 0;
    for (const value of this.indexes.taken) bytes += this.endOf(value) - this.startOf(value);
    return bytes;
  }

  startOf(value: number): number {
    return value === 0 ? 0 : (this.#ends.numbers[value - 1] ?? 0);
  }

  endOf(value: number): number {
    return this.#ends.numbers[value] ?? 0;
  }

  /**
   * Returns which of the different values has the bytes behind those of the others: a new one if none of them does.
   *
   * @param end where these bytes end
   */
  find(end: number): number {
    const { bytes } = this;
    const start = bytes.length;
    if (this.#isCrowded) return this.#add(end, 0);
    const hash = hashOf(bytes.view, start, end);
    const mask = this.#places.length - 1;
    let place = hash & mask;
    for (let tried = 0; ; tried++) {
      if (tried === MOST_TRIED) {
        this.#isCrowded = true;
        return this.#add(end, hash);
      }
      const value = (this.#places[place] ?? 0) - 1;
      if (value < 0) break;
      if (this.#hashes.numbers[value] === hash && this.#isAt(value, start, end)) return value;
      place = (place + 1) & mask;
    }
    const found = this.#add(end, hash);
    this.#places[place] = this.size;
    if (2 * this.size > this.#places.length) this.#grow();
    return found;
  }

  #add(end: number, hash: number): number {
    this.#ends.push(end);
    this.#hashes.push(hash);
    this.bytes.length = end;
    return this.size - 1;
  }

  /** True unless it halves what has to be written: then it is not worth what it costs to read. */
  isVain(): boolean {
    const indexBytes = (this.indexes.length * (32 - Math.clz32(this.size))) / 8;
    return this.#isCrowded || 2 * (this.bytes.length + indexBytes) > this.#allBytes;
  }

  clear(): void {
    for (const numbers of [this.indexes, this.#ends, this.#hashes]) numbers.clear();
    this.#resize(FEWEST);
    this.#isCrowded = false;
  }

  #isAt(value: number, start: number, end: number): boolean {
    const first = this.startOf(value);
    const length = end - start;
    if (this.endOf(value) - first !== length) return false;
    const { bytes, view } = this.bytes;
    let at = 0;
    for (; at + 4 <= length; at += 4) {
      if (view.getInt32(first + at, true) !== view.getInt32(start + at, true)) return false;
    }
    for (; at < length; at++) if (bytes[first + at] !== bytes[start + at]) return false;
    return true;
  }

  #grow(): void {
    this.#resize(2 * this.#places.length);
    const mask = this.#places.length - 1;
    for (let value = 0; value < this.size; value++) {
      let place = (this.#hashes.numbers[value] ?? 0) & mask;
      while (this.#places[place] !== 0) place = (place + 1) & mask;
      this.#places[place] = value + 1;
    }
  }

  #resize(length: number): void {
    if (length === this.#places.length) this.#places.fill(0);
    else this.#places = new Int32Array(length);
  }
}

/** A number that other bytes hardly ever have. */
export function hashOf(view: DataView, start: number, end: number): number {
  let hash = end - start;
  let at = start;
  for (; at + 4 <= end; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < end; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
  return hash ^ (hash >>> 16);
}
