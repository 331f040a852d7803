import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameQueue, type Queued } from "../../src/dissect/order/frame-queue.js";

class Item implements Queued {
  frameOrder = 0;
  heapIndex = -1;
}

/** Number of an item, and where it stands; an item that stands nowhere leaves the queue. */
const step = fc.tuple(fc.nat(7), fc.option(fc.nat(20), { nil: undefined }));

describe("a queue in the order of frames", () => {
  it("has the lowest item first, whatever came, moved and left", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const items = Array.from({ length: 8 }, () => new Item());
        const queue = new FrameQueue<Item>();
        const expected = new Map<Item, number>();
        for (const [index, frameOrder] of steps) {
          const item = items[index] ?? new Item();
          if (frameOrder === undefined) {
            queue.remove(item);
            expected.delete(item);
          } else {
            queue.put(item, frameOrder);
            expected.set(item, frameOrder);
          }
          expect(queue.first?.frameOrder).toBe(expected.size === 0 ? undefined : Math.min(...expected.values()));
        }
        const left: number[] = [];
        for (let { first } = queue; first !== undefined; { first } = queue) {
          left.push(first.frameOrder);
          queue.remove(first);
        }
        expect(left).toEqual([...expected.values()].sort((a, b) => a - b));
      }),
    );
  });
});
