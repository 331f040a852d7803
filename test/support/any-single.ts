import fc from "fast-check";

const scaled = fc
  .tuple(fc.integer({ min: -6, max: 8 }), fc.double({ min: -10, max: 10, noNaN: true }))
  .map(([exponent, value]) => Math.fround(value * 10 ** exponent));

/** Few binary places, so that many lie halfway between two texts. */
const halfway = fc
  .integer({ min: -(2 ** 24), max: 2 ** 24 })
  .chain((whole) => fc.nat(24).map((places) => whole / 2 ** places));

/** Numbers of single precision. */
export const anySingle: fc.Arbitrary<number> = fc.oneof(fc.float(), scaled, halfway);
