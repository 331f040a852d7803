import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { align } from "../../src/check/alignment.js";

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

  it("takes limited time, and still aligns a lot, if everything is different", () => {
    let state = 1;
    const random = (most: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % most;
    };
    const numbers = (most: number) => Array.from({ length: 50_000 }, () => random(most));
    const begin = performance.now();
    expect(align(numbers(2 ** 30), numbers(2 ** 30)).length).toBeLessThan(100);
    const [a, b] = [numbers(8), numbers(8)];
    const pairs = align(a, b);
    expect(pairs.every(([x, y]) => a[x] === b[y])).toBe(true);
    // Chance alone makes more than half of them common.
    expect(pairs.length).toBeGreaterThan(20_000);
    expect(performance.now() - begin).toBeLessThan(20_000);
  });
});
