/** Noise as that of libspeex: a linear congruential generator. Source: libspeex/math_approx.h. */
export class Noise {
  #seed = 1000;

  /** A number of even distribution around 0. @param deviation its standard deviation */
  next(deviation: number): number {
    this.#seed = (Math.imul(this.#seed, 1_664_525) + 1_013_904_223) >>> 0;
    return 3.4642 * deviation * ((this.#seed & 0x7fffff) / 0x800000 - 0.5);
  }

  /** Adds noise to samples. */
  add(samples: Float32Array, deviation: number): void {
    for (let at = 0; at < samples.length; at++) samples[at] = (samples[at] ?? 0) + this.next(deviation);
  }
}

/** How loud samples are: the root of their mean square, which is never quite 0. */
export function loudness(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return Math.sqrt(0.1 + sum / samples.length);
}
