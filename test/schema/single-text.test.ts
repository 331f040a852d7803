import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { singleNumber, singleText } from "../../src/schema/tree/single-text.js";
import { expectSame } from "../support/same.js";

describe("a number of single precision as text", () => {
  it.each([
    [0, "0"],
    [-0, "0"],
    [1, "1"],
    [-4.5, "-4.5"],
    [0.1, "0.1"],
    [0.05, "0.05"],
    [100.25, "100.25"],
    [9.9999999, "10"],
    [0.99999999, "1"],
    [3.14159274, "3.141593"],
    [0.0012345678, "0.001234568"],
    [0.000012345678, "0.00001234568"],
    [9_999_999, "9999999"],
    [16_777_216, "16777220"],
    [1e30, "1e+30"],
    [1.5e-9, "1.5e-9"],
    [Number.NaN, "NaN"],
    [Number.NEGATIVE_INFINITY, "-Infinity"],
  ])("%f is %s", (value, text) => {
    expect(singleText(Math.fround(value))).toBe(text);
    expect(singleNumber(Math.fround(value))).toBe(Number(text));
  });

  it("has the 7 digits that JavaScript gives it, without zeros at the end", () => {
    const near = fc.tuple(fc.integer({ min: -6, max: 8 }), fc.double({ min: -10, max: 10, noNaN: true }));
    const singles = fc.oneof(
      fc.float(),
      near.map(([exponent, value]) => Math.fround(value * 10 ** exponent)),
      // Few binary places, so that many lie halfway between two texts.
      fc.integer({ min: -(2 ** 24), max: 2 ** 24 }).chain((whole) => fc.nat(24).map((places) => whole / 2 ** places)),
    );
    fc.assert(
      fc.property(singles, (value) => {
        expectSame(singleText(value), String(Number(value.toPrecision(7))));
        expectSame(singleNumber(value), Number(singleText(value)));
      }),
      { numRuns: 5000 },
    );
  });
});
