import type { Codebook } from "./codebook.js";
import { GAINS_32, GAINS_128 } from "./gain-tables.js";
import {
  SHAPES_5_64,
  SHAPES_5_256,
  SHAPES_8_128,
  SHAPES_10_16,
  SHAPES_10_32,
  SHAPES_20_32,
} from "./innovation-tables.js";

/** How a frame of narrowband speech is encoded. Source: the Speex manual, section 9; libspeex/modes.c. */
export interface Submode {
  /** Bits of a frame, with those in front that name the submode. */
  readonly bits: number;
  /** True if the line spectral pairs have five stages instead of three. */
  readonly isFine: boolean;
  /** True if each subframe has a pitch of its own. */
  readonly hasPitches: boolean;
  /** Gains of the three taps around the pitch; undefined if there is one tap, with one gain for the frame. */
  readonly taps: Codebook | undefined;
  /** By what the gain of the frame may be multiplied in a subframe; one number if it never changes. */
  readonly corrections: readonly number[];
  /** Shapes of the innovation; undefined if it is noise. */
  readonly shapes: Codebook | undefined;
  /** True if a second innovation is added, which is smaller. */
  readonly isDouble: boolean;
}

/** Corrections of the gain of 3 bits, and of 1 bit. */
const FINE = [0.06113, 0.163546, 0.310413, 0.42822, 0.555887, 0.719055, 0.938694, 1.326874];
const COARSE = [0.70469, 1.05127];

const simple = { isFine: false, hasPitches: false, taps: undefined, corrections: [1], isDouble: false };
const usual = { ...simple, hasPitches: true, taps: GAINS_32, corrections: COARSE };
const fine = { ...usual, isFine: true, taps: GAINS_128, corrections: FINE };

/** The submodes by number. In submode 0, nothing is transmitted, and there is a little noise. */
export const SUBMODES: readonly (Submode | undefined)[] = [
  undefined,
  { ...simple, bits: 43, shapes: undefined },
  { ...simple, bits: 119, taps: GAINS_32, shapes: SHAPES_10_16 },
  { ...usual, bits: 160, shapes: SHAPES_10_32 },
  { ...usual, bits: 220, shapes: SHAPES_8_128 },
  { ...fine, bits: 300, shapes: SHAPES_5_64 },
  { ...fine, bits: 364, shapes: SHAPES_5_256 },
  { ...fine, bits: 492, shapes: SHAPES_5_64, isDouble: true },
  { ...simple, bits: 79, shapes: SHAPES_20_32 },
];
