import { SUBFRAME } from "./excitation.js";

interface Voice {
  readonly pitch: number;
  /** The gain of the pitch. */
  readonly voicing: number;
  /** The gain of the frame. */
  readonly gain: number;
}

/** The excitation of submode 1: noise, with pulses at the pitch if it is voiced. Source: libspeex/nb_celp.c. */
export class Vocoder {
  /** Samples until the next pulse. */
  #next = 0;
  #pulse = 0;
  #noise = 0;
  #mean = 0;

  /** Turns the noise in a subframe into its excitation. */
  excite(subframe: Float32Array, { pitch, voicing, gain }: Voice): void {
    const part = Math.max(0, Math.min(1, 1.5 * (voicing - 0.2)));
    for (let at = 0; at < SUBFRAME; at++) {
      const pulse = at === this.#next ? Math.sqrt(2 * pitch) * part * gain : 0;
      if (at === this.#next) this.#next += pitch;
      const noise = subframe[at] ?? 0;
      const mixed = 0.7 * pulse + 0.3 * this.#pulse + (1 - 0.85 * part) * noise - 0.15 * part * this.#noise;
      this.#pulse = pulse;
      this.#noise = noise;
      this.#mean = 0.8 * this.#mean + 0.2 * mixed;
      subframe[at] = mixed - this.#mean;
    }
    this.#next -= SUBFRAME;
  }
}
