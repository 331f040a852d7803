import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { singleNumber, singleText } from "../../src/schema/tree/single-text.js";
import { anySingle } from "../support/any-single.js";
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
    fc.assert(
      fc.property(anySingle, (value) => {
        expectSame(singleText(value), String(Number(value.toPrecision(7))));
        expectSame(singleNumber(value), Number(singleText(value)));
      }),
      { numRuns: 5000 },
    );
  });
});
