import type { BitReader } from "./bit-reader.js";

/** Vectors, one of which an encoder chooses. */
export interface Codebook {
  /** Numbers of a vector. */
  readonly size: number;
  /** Width of the number of a vector. */
  readonly bits: number;
  /** All vectors, one after the other. */
  readonly numbers: Int8Array;
}

/** A codebook. @param size numbers of a vector */
export function codebook(size: number, numbers: readonly number[]): Codebook {
  return { size, bits: Math.log2(numbers.length / size), numbers: Int8Array.from(numbers) };
}

/** The vector whose number comes next. */
export function readVector(bits: BitReader, { size, bits: width, numbers }: Codebook): Int8Array {
  const at = size * bits.read(width);
  return numbers.subarray(at, at + size);
}
