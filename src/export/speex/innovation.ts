import type { BitReader } from "./bit-reader.js";
import { type Codebook, readVector } from "./codebook.js";
import { SUBFRAME } from "./excitation.js";
import type { Submode } from "./submodes.js";

/** How much smaller a second innovation is. Source: libspeex/nb_celp.c. */
const SECOND = 0.454545;

/** Adds what is new in a subframe. Source: libspeex/cb_search.c. @param gain of the frame */
export function addInnovation(bits: BitReader, submode: Submode, gain: number, subframe: Float32Array): void {
  const { corrections, shapes, isDouble } = submode;
  if (shapes === undefined) return;
  const corrected = gain * (corrections[bits.read(Math.log2(corrections.length))] ?? 1);
  addShapes(bits, shapes, corrected / 32, subframe);
  if (isDouble) addShapes(bits, shapes, (SECOND * corrected) / 32, subframe);
}

/** Adds vectors of a codebook, as many as a subframe has. */
function addShapes(bits: BitReader, shapes: Codebook, gain: number, subframe: Float32Array): void {
  for (let at = 0; at < SUBFRAME; at += shapes.size) {
    const vector = readVector(bits, shapes);
    for (let index = 0; index < vector.length; index++) {
      subframe[at + index] = (subframe[at + index] ?? 0) + gain * (vector[index] ?? 0);
    }
  }
}
