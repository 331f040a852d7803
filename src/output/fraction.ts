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
  let half = 2 ** (exponentOf(size) - 53);
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

/** The exponent of the greatest power of two that is not above a positive number. */
function exponentOf(size: number): number {
  word[0] = size;
  return ((bits[0] ?? 0) >>> 23) - 127;
}

const word = new Float32Array(1);
const bits = new Uint32Array(word.buffer);
