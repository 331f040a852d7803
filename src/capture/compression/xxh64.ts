import { StripedSum } from "./striped-sum.js";

/** A 64-bit number as two 32-bit ones: `BigInt` would be some ten times as slow. */
interface Long {
  high: number;
  low: number;
}

const PRIME_1 = long(0x9e3779b1, 0x85ebca87);
const PRIME_2 = long(0xc2b2ae3d, 0x27d4eb4f);
const PRIME_3 = long(0x165667b1, 0x9e3779f9);
const PRIME_4 = long(0x85ebca77, 0xc2b2ae63);
const PRIME_5 = long(0x27d4eb2f, 0x165667c5);

/** Bytes processed at a time: four 64-bit numbers. */
const STRIPE_LENGTH = 32;

/**
 * The lower half of the checksum XXH64 with seed 0, which ends Zstandard frames (RFC 8878, section 3.1.1), computed
 * incrementally. Source: xxHash fast digest algorithm, section "XXH64 algorithm description".
 */
export class Xxh64 extends StripedSum {
  readonly #lanes = [plus(long(PRIME_1.high, PRIME_1.low), PRIME_2), { ...PRIME_2 }, long(0, 0), minus(PRIME_1)];

  constructor() {
    super(STRIPE_LENGTH);
  }

  /** The lower 32 bits of the checksum of all bytes so far, unsigned. */
  digest(): number {
    const sum = this.length >= STRIPE_LENGTH ? this.#converged() : { ...PRIME_5 };
    plus(sum, long(Math.floor(this.length / 2 ** 32), this.length));
    const view = viewIn(this.stripe);
    const end = this.inStripe;
    let at = 0;
    for (; at + 8 <= end; at += 8) {
      const lane = round(long(0, 0), view.getUint32(at + 4, true), view.getUint32(at, true));
      plus(times(rotate(xor(sum, lane), 27), PRIME_1), PRIME_4);
    }
    if (at + 4 <= end) {
      xor(sum, times(long(0, view.getUint32(at, true)), PRIME_1));
      plus(times(rotate(sum, 23), PRIME_2), PRIME_3);
      at += 4;
    }
    for (; at < end; at++) {
      xor(sum, times(long(0, view.getUint8(at)), PRIME_5));
      times(rotate(sum, 11), PRIME_1);
    }
    // Shifts of the 64-bit number by 33, 29 and 32.
    times(xor(sum, long(0, sum.high >>> 1)), PRIME_2);
    times(xor(sum, long(sum.high >>> 29, (sum.low >>> 29) | (sum.high << 3))), PRIME_3);
    return (sum.low ^ sum.high) >>> 0;
  }

  #converged(): Long {
    const sum = long(0, 0);
    for (const [index, lane] of this.#lanes.entries()) plus(sum, rotate({ ...lane }, [1, 7, 12, 18][index] ?? 0));
    for (const { high, low } of this.#lanes) plus(times(xor(sum, round(long(0, 0), high, low)), PRIME_1), PRIME_4);
    return sum;
  }

  protected override takeIn(bytes: Uint8Array, start: number, end: number): void {
    const view = viewIn(bytes);
    for (const [index, lane] of this.#lanes.entries()) {
      // Numbers of their own, not a Long: most of the time is spent here.
      let { high, low } = lane;
      for (let at = start + 8 * index; at < end; at += STRIPE_LENGTH) {
        const input = view.getInt32(at, true);
        const productLow = Math.imul(input, PRIME_2.low);
        const upper = upperHalf(input, PRIME_2.low) + Math.imul(input, PRIME_2.high);
        const productHigh = (upper + Math.imul(view.getInt32(at + 4, true), PRIME_2.low)) | 0;
        const sumLow = (low + productLow) | 0;
        const carry = ((low & productLow) | ((low | productLow) & ~sumLow)) >>> 31;
        const sumHigh = (high + productHigh + carry) | 0;
        const turnedHigh = (sumHigh << 31) | (sumLow >>> 1);
        const turnedLow = (sumLow << 31) | (sumHigh >>> 1);
        low = Math.imul(turnedLow, PRIME_1.low);
        const turned = upperHalf(turnedLow, PRIME_1.low) + Math.imul(turnedLow, PRIME_1.high);
        high = (turned + Math.imul(turnedHigh, PRIME_1.low)) | 0;
      }
      lane.high = high;
      lane.low = low;
    }
  }
}

function viewIn({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

function long(high: number, low: number): Long {
  return { high: high | 0, low: low | 0 };
}

/** Takes a number of the input into a sum. Like those below, it changes its first number and returns it. */
function round(sum: Long, high: number, low: number): Long {
  return times(rotate(plus(sum, times(long(high, low), PRIME_2)), 31), PRIME_1);
}

function plus(sum: Long, { high, low }: Long): Long {
  const lower = (sum.low >>> 0) + (low >>> 0);
  sum.low = lower | 0;
  sum.high = (sum.high + high + (lower > 0xffff_ffff ? 1 : 0)) | 0;
  return sum;
}

function minus({ high, low }: Long): Long {
  return plus(long(~high, ~low), long(0, 1));
}

function xor(sum: Long, { high, low }: Long): Long {
  sum.high ^= high;
  sum.low ^= low;
  return sum;
}

/** Rotates to the left by fewer than 32 bits. */
function rotate(sum: Long, bits: number): Long {
  const { high, low } = sum;
  sum.high = (high << bits) | (low >>> (32 - bits));
  sum.low = (low << bits) | (high >>> (32 - bits));
  return sum;
}

function times(sum: Long, by: Long): Long {
  const { high, low } = sum;
  sum.high = (upperHalf(low, by.low) + Math.imul(high, by.low) + Math.imul(low, by.high)) | 0;
  sum.low = Math.imul(low, by.low);
  return sum;
}

/** The upper 32 bits of the product of two unsigned numbers. */
function upperHalf(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const first = (Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16)) >>> 0;
  const second = (Math.imul(a0, b1) + (first & 0xffff)) >>> 0;
  return (Math.imul(a1, b1) + (first >>> 16) + (second >>> 16)) | 0;
}
