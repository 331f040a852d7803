import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "../../src/check/alignment.js";
import { touchedBy } from "../support/growth.js";
import { Random } from "../support/random.js";

/** Length of a longest common subsequence, by the book. */
function longest(a: readonly number[], b: readonly number[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const token of a) {
    const next = [0];
    b.forEach((other, index) => {
      next.push(token === other ? (row[index] ?? 0) + 1 : Math.max(next[index] ?? 0, row[index + 1] ?? 0));
    });
    row = next;
  }
  return row[b.length] ?? 0;
}

function numbersFrom(seed: number): (length: number, most: number) => number[] {
  const random = new Random(seed);
  return (length, most) => Array.from({ length }, () => random.below(most));
}

const tokens = fc.array(fc.nat(5), { maxLength: 60 });

describe("alignment", () => {
  it("is a common subsequence, and none is longer", () => {
    fc.assert(
      fc.property(tokens, tokens, (a, b) => {
        const pairs = align(a, b);
        expect(pairs.every(([x, y]) => a[x] === b[y])).toBe(true);
        pairs.slice(1).forEach(([x, y], index) => {
          expect(x).toBeGreaterThan(pairs[index]?.[0] ?? -1);
          expect(y).toBeGreaterThan(pairs[index]?.[1] ?? -1);
        });
        expect(pairs.length).toBe(longest(a, b));
      }),
    );
  });

  it.each([8, 300])("passes over thousands of elements, of %d kinds, that only one side has", (kinds) => {
    const numbers = numbersFrom(1);
    const [before, both] = [numbers(3000, kinds), numbers(5000, kinds)];
    const pairs = align([...both, 1, 2], [...before, ...both, 3, 4]);
    expect(pairs.length).toBeGreaterThanOrEqual(both.length);
  });

  it("takes limited steps, and still aligns a lot, if everything is different", async () => {
    const numbers = numbersFrom(1);
    const [c, d] = [numbers(50_000, 2 ** 30), numbers(50_000, 2 ** 30)];
    const [a, b] = [numbers(9000, 8), numbers(9000, 8)];
    // After each step, all the places that it has reached are kept.
    const { result, touched } = await touchedBy(() => ({ few: align(c, d), many: align(a, b) }));
    expect(result.few.length).toBeLessThan(100);
    expect(result.many.every(([x, y]) => a[x] === b[y])).toBe(true);
    // Chance alone makes more than half of them common.
    expect(result.many.length).toBeGreaterThan(3600);
    // Without limit, there would be more than twice as many.
    expect(touched).toBeLessThan(38_000_000);
  });
});
