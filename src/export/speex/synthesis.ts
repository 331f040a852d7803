import { ORDER } from "./line-spectral-pairs.js";

/** Far above the loudest sample, 32768: only a made-up frame, whose filter is not stable, comes near. */
const LOUDEST = 1e6;

/** A filter against what is below the voice: its zeros and poles, without the first pole. Source: libspeex/filters.c. */
const [ZERO, ZERO_1, ZERO_2] = [0.96446, -1.92879, 0.96446];
const [POLE_1, POLE_2] = [-1.92683, 0.93071];

/** Makes speech of an excitation: the filter of the vocal tract, and one against low sounds. */
export class Synthesis {
  /** One more than the order, so that what moves up at the end is 0. */
  readonly #memory = new Float32Array(ORDER + 1);
  #low1 = 0;
  #low2 = 0;

  /** Lets less of what was said before go on. */
  damp(factor: number): void {
    for (const [index, value] of this.#memory.entries()) this.#memory[index] = factor * value;
  }

  /** Filters an excitation. @param coefficients of the linear prediction @param speech what it becomes */
  filter(excitation: Float32Array, coefficients: Float32Array, speech: Float32Array): void {
    const memory = this.#memory;
    for (let at = 0; at < excitation.length; at++) {
      const sample = (excitation[at] ?? 0) + (memory[0] ?? 0);
      const spoken = Math.max(-LOUDEST, Math.min(LOUDEST, sample));
      for (let index = 0; index < ORDER; index++) {
        memory[index] = (memory[index + 1] ?? 0) - (coefficients[index] ?? 0) * spoken;
      }
      speech[at] = spoken;
    }
  }

  /** Takes low sounds out. */
  takeLow(speech: Float32Array): void {
    for (let at = 0; at < speech.length; at++) {
      const sample = speech[at] ?? 0;
      const higher = ZERO * sample + this.#low1;
      this.#low1 = this.#low2 + ZERO_1 * sample - POLE_1 * higher;
      this.#low2 = ZERO_2 * sample - POLE_2 * higher;
      speech[at] = higher;
    }
  }
}
