/** Samples of a frame. */
export const FRAME = 160;
/** Samples of a subframe. */
export const SUBFRAME = 40;

/** Shortest and longest pitch, in samples. */
export const SHORTEST_PITCH = 17;
export const LONGEST_PITCH = 144;

/** Gains of the three samples around one pitch before: of the later one, that one and the earlier one. */
export type Taps = readonly [number, number, number];

/** The gain that one tap would need to have the effect of three. Source: libspeex/ltp.h. */
export function gainOf([later, middle, earlier]: Taps): number {
  const outer = (tap: number) => (tap > 0 ? tap : -tap / 2);
  return Math.abs(middle) + outer(later) + outer(earlier);
}

/** Most that a prediction may be, whatever a made-up frame says. */
const LOUDEST = 32_000;

/** What excites the filter: the frame before, from which the next one is predicted, and this frame. */
export class Excitation {
  readonly #samples = new Float32Array(2 * FRAME);

  /** The samples of this frame. */
  readonly frame = this.#samples.subarray(FRAME);

  /** What the filter takes: it is a subframe behind, as its coefficients are those between two frames. */
  readonly delayed = this.#samples.subarray(FRAME - SUBFRAME, 2 * FRAME - SUBFRAME);

  /** Makes this frame the one before. Its samples stay what they were, until others come. */
  shift(): void {
    this.#samples.copyWithin(0, FRAME);
  }

  /**
   * Predicts a subframe from what came a pitch before; two pitches before, where that has not come yet.
   * Source: libspeex/ltp.c.
   * @param begin of the subframe in the frame
   */
  predict(begin: number, pitch: number, taps: Taps): void {
    const samples = this.#samples;
    const start = FRAME + begin;
    samples.fill(0, start, start + SUBFRAME);
    for (let index = 0; index < taps.length; index++) {
      const tap = taps[index] ?? 0;
      const lag = pitch - 1 + index;
      const end = start + Math.min(SUBFRAME, lag + pitch);
      for (let at = start; at < end; at++) {
        const from = at - start < lag ? at - lag : at - lag - pitch;
        samples[at] = limited((samples[at] ?? 0) + tap * (samples[from] ?? 0));
      }
    }
  }

  /** The same with one tap, from what was just predicted, where that has to be. */
  repeat(begin: number, pitch: number, gain: number): void {
    const samples = this.#samples;
    const start = FRAME + begin;
    for (let at = start; at < start + SUBFRAME; at++) samples[at] = limited(gain * (samples[at - pitch] ?? 0));
  }
}

function limited(sample: number): number {
  return Math.max(-LOUDEST, Math.min(LOUDEST, sample));
}
