import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameQueue, type Queued } from "../../src/dissect/order/frame-queue.js";

class Item implements Queued {
  frame = 0;
  place = -1;
}

/** Numbers of an item and of a frame; without a frame, the item leaves the queue. */
const step = fc.tuple(fc.nat(7), fc.option(fc.nat(20), { nil: undefined }));

describe("a queue by frame", () => {
  it("has the item with the lowest frame first, whatever came, moved and left", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const items = Array.from({ length: 8 }, () => new Item());
        const queue = new FrameQueue<Item>();
        const expected = new Map<Item, number>();
        for (const [index, frame] of steps) {
          const item = items[index] ?? new Item();
          if (frame === undefined) {
            queue.remove(item);
            expected.delete(item);
          } else {
            queue.put(item, frame);
            expected.set(item, frame);
          }
          expect(queue.first?.frame).toBe(expected.size === 0 ? undefined : Math.min(...expected.values()));
        }
        const left: number[] = [];
        for (let { first } = queue; first !== undefined; { first } = queue) {
          left.push(first.frame);
          queue.remove(first);
        }
        expect(left).toEqual([...expected.values()].sort((a, b) => a - b));
      }),
    );
  });
});
