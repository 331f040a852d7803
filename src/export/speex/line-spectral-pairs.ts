import type { BitReader } from "./bit-reader.js";
import { type Codebook, readVector } from "./codebook.js";
import { FIRST, HIGH, HIGHEST, LOW, LOWEST } from "./lsp-tables.js";

/** Order of the linear prediction. */
export const ORDER = 10;

/** Least distance between two lines, in radians, so that the filter is stable. */
const MARGIN = 0.002;

/** Reads line spectral pairs: ten angles in radians. Source: libspeex/quant_lsp.c. */
export function readLines(bits: BitReader, isFine: boolean): Float32Array {
  let lines = Float32Array.from({ length: ORDER }, (_, index) => 0.25 * index + 0.25);
  const add = (book: Codebook, unit: number, first: number) => {
    const numbers = readVector(bits, book);
    lines = lines.map((line, index) => line + unit * (numbers[index - first] ?? 0));
  };
  add(FIRST, 1 / 256, 0);
  add(LOW, 1 / 512, 0);
  if (isFine) add(LOWEST, 1 / 1024, 0);
  add(HIGH, 1 / 512, ORDER / 2);
  if (isFine) add(HIGHEST, 1 / 1024, ORDER / 2);
  return lines;
}

/** Lines between those of two frames, kept apart. @param part how near to the later frame: from 0 to 1 */
export function interpolated(before: Float32Array, after: Float32Array, part: number): Float32Array {
  const lines = before.map((line, index) => (1 - part) * line + part * (after[index] ?? 0));
  const last = ORDER - 1;
  lines[0] = Math.max(lines[0] ?? 0, MARGIN);
  lines[last] = Math.min(lines[last] ?? 0, Math.PI - MARGIN);
  for (let index = 1; index < last; index++) {
    const line = Math.max(lines[index] ?? 0, (lines[index - 1] ?? 0) + MARGIN);
    const most = (lines[index + 1] ?? 0) - MARGIN;
    lines[index] = line > most ? (line + most) / 2 : line;
  }
  return lines;
}

/**
 * The coefficients of linear prediction that lines stand for, without the first one, which is 1. They are the mean of
 * two polynomials: lines of even number are the zeros of one, and lines of odd number those of the other.
 */
export function coefficients(lines: Float32Array): Float32Array {
  const even = polynomial(lines, 0, 1);
  const odd = polynomial(lines, 1, -1);
  const mean = new Float32Array(ORDER);
  for (let index = 0; index < ORDER; index++) mean[index] = ((even[index + 1] ?? 0) + (odd[index + 1] ?? 0)) / 2;
  return mean;
}

/** A polynomial with zeros at each second line on both sides, and one more zero. @param second its coefficient */
function polynomial(lines: Float32Array, first: number, second: number): number[] {
  const product = [1, second, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let line = first, degree = 3; line < ORDER; line += 2, degree += 2) {
    const middle = -2 * Math.cos(lines[line] ?? 0);
    for (let index = degree; index >= 2; index--) {
      product[index] = (product[index] ?? 0) + middle * (product[index - 1] ?? 0) + (product[index - 2] ?? 0);
    }
    product[1] = (product[1] ?? 0) + middle;
  }
  return product;
}

/** Coefficients whose filter has wider resonances. @param factor by which its poles come nearer to 0 */
export function widened(from: Float32Array, factor: number): Float32Array {
  return from.map((coefficient, index) => coefficient * factor ** (index + 1));
}
