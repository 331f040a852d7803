/**
 * Decodes narrowband Speex, which is code-excited linear prediction: an excitation, made of what came a pitch before and
 * of something new from a codebook, goes through a filter that stands for the vocal tract. The perceptual enhancement of
 * libspeex is left out. Sources: the Speex manual, sections 8 and 9; RFC 5574; libspeex/nb_celp.c. No package for it
 * that is alive is on npm.
 */

import { BitReader } from "./bit-reader.js";
import { readVector } from "./codebook.js";
import { Excitation, FRAME, gainOf, LONGEST_PITCH, SHORTEST_PITCH, SUBFRAME, type Taps } from "./excitation.js";
import { readSubmode } from "./frame-header.js";
import { addInnovation } from "./innovation.js";
import { coefficients, interpolated, ORDER, readLines, widened } from "./line-spectral-pairs.js";
import { loudness, Noise } from "./noise.js";
import { SUBMODES, type Submode } from "./submodes.js";
import { Synthesis } from "./synthesis.js";
import { Vocoder } from "./vocoder.js";

/** Samples that a frame becomes. */
export const SPEEX_SAMPLES = FRAME;
/** Samples of a second. */
export const SPEEX_RATE = 8000;

/** What frames of submode 1 end with if nothing follows them until somebody speaks again. */
const NOTHING_FOLLOWS = 15;

/** What predictions are multiplied by in frames that are lost, one after the other. */
const FADING = [1, 0.961, 0.852, 0.698, 0.527, 0.368, 0.237, 0.141, 0.077, 0.039];

/** What a frame says for all of its subframes. */
interface Whole {
  readonly submode: Submode;
  /** Undefined if each subframe has its own. */
  readonly pitch: number | undefined;
  /** The gain of the pitch, if it has one tap. */
  readonly voicing: number;
  /** The gain of innovations. */
  readonly gain: number;
}

type Three = readonly [number, number, number];

interface Subframe {
  /** Where it begins in the frame. */
  readonly begin: number;
  readonly pitch: number;
  readonly taps: Taps;
}

/** What somebody says, frame by frame. */
export class SpeexDecoder {
  readonly #excitation = new Excitation();
  readonly #synthesis = new Synthesis();
  readonly #vocoder = new Vocoder();
  readonly #noise = new Noise();
  /** Line spectral pairs of the frame before; undefined if it had none. */
  #lines: Float32Array | undefined;
  /** Coefficients of the linear prediction at the end of the frame before. */
  #coefficients: Float32Array = new Float32Array(ORDER);
  /** True if nothing is transmitted while nobody speaks, so that frames that do not come are not lost. */
  #isPaused = false;
  /** Number of frames lost since the last one that was not. */
  #lost = 0;
  /** The pitch of the frame before, and its gain. */
  #pitch = 40;
  #pitchGain = 0;
  /** Gains of the pitch of the last three frames. */
  #lastGains: Three = [0, 0, 0];

  /**
   * The next 20 milliseconds: 160 samples from -1 to 1. In place of a frame that is lost (without bytes) or damaged,
   * what was said before goes on and fades.
   */
  decode(frame: Uint8Array): Float32Array {
    const bits = new BitReader(frame);
    const speech = new Float32Array(FRAME);
    const number = readSubmode(bits) ?? (this.#isPaused ? 0 : undefined);
    const submode = number === undefined ? undefined : SUBMODES[number];
    if (number === undefined) this.#goOn(speech);
    else if (submode === undefined) this.#hiss(speech);
    else this.#speak(bits, submode, speech);
    for (let at = 0; at < FRAME; at++) speech[at] = Math.max(-1, Math.min(1, (speech[at] ?? 0) / 32_768));
    return speech;
  }

  /** Speech. */
  #speak(bits: BitReader, submode: Submode, speech: Float32Array): void {
    this.#excitation.shift();
    const lines = readLines(bits, submode.isFine);
    const whole: Whole = {
      submode,
      pitch: submode.hasPitches ? undefined : readPitch(bits),
      voicing: submode.taps === undefined ? Math.min(0.99, bits.read(4) / 15) : 0,
      gain: Math.exp(bits.read(5) / 3.5),
    };
    this.#isPaused = submode.shapes === undefined && bits.read(4) === NOTHING_FOLLOWS;
    this.#excite(bits, whole);
    const before = this.#lines ?? lines;
    if (this.#lost > 0) this.#adjust(distance(before, lines), whole.gain);
    this.#filter(this.#lost > 0 ? lines : before, lines, speech);
    this.#lines = lines;
    this.#lost = 0;
  }

  /** Excites a frame, and notes what pitch it has. */
  #excite(bits: BitReader, whole: Whole): void {
    let best = 0;
    let sum = 0;
    for (let begin = 0; begin < FRAME; begin += SUBFRAME) {
      const pitch = whole.pitch ?? readPitch(bits);
      const taps = this.#taps(bits, whole, pitch > begin);
      this.#exciteSubframe(bits, whole, { begin, pitch, taps });
      const gain = gainOf(taps);
      sum += gain;
      if (gain <= best) continue;
      best = gain;
      this.#pitch = pitch;
    }
    this.#pitchGain = sum / (FRAME / SUBFRAME);
    this.#noteGain(this.#pitchGain);
  }

  /** Reads the gains of a pitch. @param isUncertain true if what it repeats may be of a frame that was lost */
  #taps(bits: BitReader, { submode, voicing }: Whole, isUncertain: boolean): Taps {
    if (submode.taps === undefined) return [0, voicing, 0];
    const [later = 0, middle = 0, earlier = 0] = readVector(bits, submode.taps);
    const taps: Taps = [later / 64 + 0.5, middle / 64 + 0.5, earlier / 64 + 0.5];
    if (this.#lost === 0 || !isUncertain) return taps;
    const most = Math.min(0.95, this.#lost < 4 ? this.#pitchGain : this.#pitchGain / 2);
    const gain = gainOf(taps);
    if (gain <= most) return taps;
    const factor = most / gain;
    return [factor * taps[0], factor * taps[1], factor * taps[2]];
  }

  #exciteSubframe(bits: BitReader, { submode, gain, voicing }: Whole, { begin, pitch, taps }: Subframe): void {
    const subframe = this.#excitation.frame.subarray(begin, begin + SUBFRAME);
    if (submode.shapes === undefined) {
      subframe.fill(0);
      this.#noise.add(subframe, gain);
      this.#vocoder.excite(subframe, { pitch, voicing, gain });
      return;
    }
    if (submode.taps === undefined) this.#excitation.repeat(begin, pitch, voicing);
    else this.#excitation.predict(begin, pitch, taps);
    addInnovation(bits, submode, gain, subframe);
  }

  /** After a loss: lets the less of what was before go on the more has changed, and makes it as loud as it should be. */
  #adjust(change: number, gain: number): void {
    this.#synthesis.damp(0.6 * Math.exp(-0.2 * change));
    const { frame } = this.#excitation;
    const factor = Math.min(2, gain / (loudness(frame) + 1));
    for (const [at, sample] of frame.entries()) frame[at] = factor * sample;
  }

  /** Filters the excitation, while the lines move from those of the frame before to those of this one. */
  #filter(before: Float32Array, lines: Float32Array, speech: Float32Array): void {
    for (let begin = 0; begin < FRAME; begin += SUBFRAME) {
      const end = begin + SUBFRAME;
      const excitation = this.#excitation.delayed.subarray(begin, end);
      this.#synthesis.filter(excitation, this.#coefficients, speech.subarray(begin, end));
      this.#coefficients = coefficients(interpolated(before, lines, end / FRAME));
    }
    this.#synthesis.takeLow(speech);
  }

  /** Submode 0: noise as loud as what was before. */
  #hiss(speech: Float32Array): void {
    const { frame } = this.#excitation;
    this.#excitation.shift();
    // libspeex loses the first samples before it measures, so that its noise fades.
    frame.fill(0, 0, 6);
    const deviation = loudness(frame);
    frame.fill(0);
    this.#noise.add(frame, deviation);
    this.#synthesis.filter(frame, widened(this.#coefficients, 0.93), speech);
    this.#lines = undefined;
    this.#lost = 0;
  }

  /** A frame that is lost: the pitch goes on, with more and more noise, and fades. */
  #goOn(speech: Float32Array): void {
    const { frame, delayed } = this.#excitation;
    const fading = FADING[this.#lost] ?? 0;
    this.#pitchGain = Math.min(this.#pitchGain, median(this.#lastGains));
    const gain = fading * Math.min(0.85, this.#pitchGain);
    const deviation = fading * (1 - gain * gain) * loudness(frame);
    this.#excitation.shift();
    const wandering = this.#pitch + Math.trunc(this.#noise.next(1 + this.#lost));
    const pitch = Math.max(SHORTEST_PITCH, Math.min(LONGEST_PITCH, wandering));
    for (let begin = 0; begin < FRAME; begin += SUBFRAME) {
      this.#excitation.repeat(begin, pitch, gain);
      this.#noise.add(frame.subarray(begin, begin + SUBFRAME), deviation);
    }
    this.#coefficients = widened(this.#coefficients, 0.98);
    this.#synthesis.filter(delayed, this.#coefficients, speech);
    this.#synthesis.takeLow(speech);
    this.#noteGain(gain);
    this.#lost++;
  }

  #noteGain(gain: number): void {
    const [, second, third] = this.#lastGains;
    this.#lastGains = [second, third, gain];
  }
}

function readPitch(bits: BitReader): number {
  return SHORTEST_PITCH + bits.read(7);
}

/** How far lines are from others, in radians. */
function distance(lines: Float32Array, others: Float32Array): number {
  return lines.reduce((sum, line, index) => sum + Math.abs(line - (others[index] ?? 0)), 0);
}

function median([one, two, three]: Three): number {
  return Math.max(Math.min(one, two), Math.min(Math.max(one, two), three));
}
