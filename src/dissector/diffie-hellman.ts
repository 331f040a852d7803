import { hex } from "../schema/tree/leaf.js";

/**
 * Arithmetic of a Diffie-Hellman key exchange: big numbers, and the byte strings that carry them.
 *
 * BigInt is fast enough: a 512-bit power takes well under a millisecond and is needed once per connection. It does not
 * run in constant time, which would matter to a server; here the secret is in a file beside the capture, and only its
 * owner could measure the time. The platform's own Diffie-Hellman refuses what real servers use: 512-bit moduli, and
 * exponents larger than the modulus.
 */

/**
 * `base` to the power of `exponent`, modulo `modulus`. The base may be larger than the modulus.
 * Throws a RangeError unless `exponent` is 0 or more and `modulus` is 1 or more.
 */
export function modularPower(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (modulus < 1n) throw new RangeError("the modulus must be positive");
  if (exponent < 0n) throw new RangeError("the exponent must not be negative");
  let square = base % modulus;
  if (square < 0n) square += modulus;
  let power = 1n % modulus;
  // Square and multiply from the lowest bit up. The bits are read from text, since shifting a BigInt copies it.
  const bits = exponent.toString(2);
  for (let bit = bits.length - 1; bit >= 0; bit--) {
    if (bits[bit] === "1") power = (power * square) % modulus;
    square = (square * square) % modulus;
  }
  return power;
}

/** The number whose most significant byte comes first in `bytes`; 0 for no bytes. */
export function fromBigEndian(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt(`0x${hex(bytes)}`);
}

/** The number whose least significant byte comes first in `bytes`; 0 for no bytes. */
export function fromLittleEndian(bytes: Uint8Array): bigint {
  return fromBigEndian(new Uint8Array(bytes).reverse());
}

/**
 * `value` as `length` bytes, most significant byte first, padded with leading zero bytes.
 * Throws a RangeError if it is negative or does not fit.
 */
export function toBigEndian(value: bigint, length: number): Uint8Array {
  if (value < 0n || BigInt.asUintN(length * 8, value) !== value) {
    throw new RangeError(`the number does not fit into ${length} bytes`);
  }
  return new Uint8Array(Buffer.from(value.toString(16).padStart(length * 2, "0"), "hex"));
}

/**
 * `value` as `length` bytes, least significant byte first, padded with trailing zero bytes.
 * Throws a RangeError if it is negative or does not fit.
 */
export function toLittleEndian(value: bigint, length: number): Uint8Array {
  return toBigEndian(value, length).reverse();
}
