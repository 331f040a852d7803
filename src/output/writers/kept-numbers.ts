import type { PackedBytes } from "./packed-bytes.js";

/** Most numbers kept per field: a protocol uses few of the possible ones, over and over. */
const MOST_KEPT = 256;
const SLOT_BITS = 4;

/** Forms of the numbers of a field, in JSON or in summaries: few enumeration values and flag sets are in use. */
export class KeptNumbers {
  /** The last one, if it is a whole number of 32 bits with a sign: V8 keeps others in a place of their own. */
  #last = 0;
  #ofLast: PackedBytes | undefined;
  readonly #all = new Map<number, PackedBytes>();
  /** Numbers that were looked up lately, each in the slot that follows from it: a look-up by hash takes several times as long. */
  readonly #recent = new Float64Array(1 << SLOT_BITS).fill(Number.NaN);
  readonly #ofRecent: (PackedBytes | undefined)[] = Array.from(this.#recent, () => undefined);

  get(number: number): PackedBytes | undefined {
    if (number === this.#last && this.#ofLast !== undefined) return this.#ofLast;
    const bytes = this.#lookedUp(number);
    const whole = number | 0;
    if (whole === number) {
      this.#last = whole;
      this.#ofLast = bytes;
    }
    return bytes;
  }

  #lookedUp(number: number): PackedBytes | undefined {
    const slot = slotOf(number);
    if (this.#recent[slot] === number) return this.#ofRecent[slot];
    const bytes = this.#all.get(number);
    if (bytes !== undefined) {
      this.#recent[slot] = number;
      this.#ofRecent[slot] = bytes;
    }
    return bytes;
  }

  keep(number: number, bytes: PackedBytes): void {
    // Several 64-bit numbers can become the same double.
    if (Number.isSafeInteger(number) && this.#all.size < MOST_KEPT) this.#all.set(number, bytes);
  }
}

/** Spreads numbers that differ in any of their bits, as flag sets do (Knuth's multiplicative hashing). */
function slotOf(number: number): number {
  return Math.imul(number, 0x9e3779b1) >>> (32 - SLOT_BITS);
}
