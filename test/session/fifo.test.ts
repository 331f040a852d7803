import fc from "fast-check";
import { expect, test } from "vitest";
import { Fifo } from "../../src/session/stream/fifo.js";
import { heldHeap } from "../support/garbage.js";

test("a queue returns items in order of arrival, however it is filled and emptied", () => {
  const turns = fc.array(fc.tuple(fc.nat(3000), fc.nat(3000)), { maxLength: 10 });
  fc.assert(
    fc.property(turns, (all) => {
      const queue = new Fifo<number>();
      let [next, oldest] = [0, 0];
      for (const [pushed, taken] of all) {
        for (let count = 0; count < pushed; count++) queue.push(next++);
        const firsts: unknown[] = [];
        for (let count = 0; count < Math.min(taken, next - oldest); count++) firsts.push(queue.first, queue.take());
        expect(firsts).toEqual(firsts.map((_, index) => oldest + Math.floor(index / 2)));
        oldest += firsts.length / 2;
        expect(queue.rest()).toEqual(Array.from({ length: next - oldest }, (_, index) => oldest + index));
        expect(queue.isEmpty).toBe(oldest === next);
      }
      while (!queue.isEmpty) queue.take();
      expect([queue.first, queue.take()]).toEqual([undefined, undefined]);
    }),
    { numRuns: 20 },
  );
});

test("a queue does not keep references to removed items", () => {
  const queue = new Fifo<number[]>();
  queue.push([]);
  const before = heldHeap();
  for (let count = 0; count < 500; count++) {
    queue.push(new Array<number>(2000).fill(count));
    queue.take();
  }
  expect(heldHeap() - before).toBeLessThan(2_000_000);
});
