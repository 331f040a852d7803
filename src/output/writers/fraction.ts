import { Ascii } from "./ascii.js";

/** Most digits that `writeFraction` writes. */
export const MOST_DIGITS = 22;
/** The fractions of smaller numbers have too many digits to be worked out without rounding. */
const LEAST = 2 ** -16;
/** Larger numbers of single precision have no fraction. */
const MOST = 2 ** 23;

/**
 * True for a number of single precision with a fraction, unless it is tiny. JavaScript takes several times as long to
 * write one as `writeFraction` does, since it has to expect all 53 bits of a double to matter.
 */
export function isUsualSingle(value: number): boolean {
  const size = Math.abs(value);
  return size >= LEAST && size < MOST && Math.fround(value) === value && !Number.isInteger(value);
}

/**
 * Writes the digits after the decimal point of a positive number for which `isUsualSingle` is true: as few as tell it
 * from all other doubles, and of these the closest, as `String` does. Returns where they end.
 *
 * Every step is exact. The fraction has at most 39 bits, and multiplying by 10 adds at most 4; half the distance to the
 * next double is a power of two, which stays exact while it is multiplied by 10 up to 22 times.
 */
export function writeFraction(size: number, bytes: Uint8Array, start: number): number {
  let rest = size - Math.floor(size);
  let half = halfDistance(size);
  let at = start;
  for (;;) {
    rest *= 10;
    half *= 10;
    const digit = Math.floor(rest);
    rest -= digit;
    const isNearBelow = rest <= half;
    const isNearAbove = 1 - rest <= half;
    const isUp = isNearAbove && (!isNearBelow || rest > 0.5 || (rest === 0.5 && digit % 2 === 1));
    bytes[at++] = Ascii.Zero + digit + (isUp ? 1 : 0);
    if (isNearBelow || isNearAbove) return at;
  }
}

/** Half the distance from a positive number of single precision to the next double: a power of two. */
function halfDistance(size: number): number {
  word[0] = size;
  // Lowering the exponent is several times as fast as `**`.
  bits[0] = ((bits[0] ?? 0) & EXPONENT) - (53 << FRACTION_BITS);
  return word[0];
}

const EXPONENT = 0x7f80_0000;
const FRACTION_BITS = 23;

const word = new Float32Array(1);
const bits = new Uint32Array(word.buffer);
