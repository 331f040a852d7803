/** Random choices that a seed reproduces. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A number from 0 up to, but not including, 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, but not including, `end`. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** True this many times out of ten. */
  chance(ofTen: number): boolean {
    return this.below(10) < ofTen;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("there is nothing to pick from");
    return item;
  }

  list<T>(length: number, make: () => T): T[] {
    return Array.from({ length }, make);
  }

  /** Bytes, many of them small or large, like those of real messages. */
  bytes(length: number): Uint8Array {
    const byte = () =>
      this.chance(5) ? this.pick([0, 0, 0, 1, 1, 2, 3, 4, 5, 8, 0x7f, 0x80, 0xfe, 0xff]) : this.below(256);
    return Uint8Array.from(this.list(length, byte));
  }

  /** The same bytes with some changed, removed or added. */
  damaged(bytes: Uint8Array): Uint8Array {
    const damaged = Buffer.from(bytes);
    for (let times = this.below(4); times > 0 && damaged.length > 0; times--) {
      damaged.set(this.bytes(1), this.below(damaged.length));
    }
    const cut = this.below(damaged.length + 1);
    if (this.chance(2)) return damaged.subarray(0, cut);
    if (this.chance(2))
      return Buffer.concat([damaged.subarray(0, cut), this.bytes(this.below(6)), damaged.subarray(cut)]);
    return damaged;
  }

  /** Text of this many letters. */
  letters(length: number): string {
    return this.list(length, () => this.pick([..."abcXYZ 019"])).join("");
  }
}
