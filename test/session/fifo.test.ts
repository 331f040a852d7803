import fc from "fast-check";
import { expect, test } from "vitest";
import { Fifo } from "../../src/session/fifo.js";

test("a queue gives what came first, in whatever turns it is filled and emptied", () => {
  const turns = fc.array(fc.tuple(fc.nat(3000), fc.nat(3000)), { maxLength: 10 });
  fc.assert(
    fc.property(turns, (all) => {
      const queue = new Fifo<number>();
      let [next, oldest] = [0, 0];
      for (const [pushed, taken] of all) {
        for (let count = 0; count < pushed; count++) queue.push(next++);
        for (let count = 0; count < taken && oldest < next; count++) {
          expect(queue.first).toBe(oldest);
          expect(queue.take()).toBe(oldest++);
        }
        expect(queue.rest()).toEqual(Array.from({ length: next - oldest }, (_, index) => oldest + index));
        expect(queue.isEmpty).toBe(oldest === next);
      }
      while (!queue.isEmpty) queue.take();
      expect([queue.first, queue.take()]).toEqual([undefined, undefined]);
    }),
    { numRuns: 20 },
  );
});
