/** Random numbers that are the same in every run (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to 2^32 - 1. */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** A whole number from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor((this.word() / 0x1_0000_0000) * count);
  }

  /** A number from `least` up to `most`. */
  between(least: number, most: number): number {
    return least + (this.word() / 0x1_0000_0000) * (most - least);
  }

  one<T>(things: readonly [T, ...T[]]): T {
    return things[this.below(things.length)] ?? things[0];
  }

  bytes(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    for (let index = 0; index < count; index++) bytes[index] = this.word();
    return bytes;
  }
}
