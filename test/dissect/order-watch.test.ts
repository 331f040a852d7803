import { describe, expect, it } from "vitest";
import { OrderWatch } from "../../src/dissect/order/order-watch.js";
import { defaultLimits } from "../../src/limits.js";

/** Where messages stand in the order of a capture, as one of several threads knows it. */

const origin = (frame: number, seconds = frame) => ({ frame, seconds, nanoseconds: 0 });

function watchAt(frame: number): OrderWatch {
  const watch = new OrderWatch(defaultLimits);
  watch.packet(frame, 100);
  return watch;
}

describe("the frame order of a message", () => {
  it("is that of its packet, behind what becomes certain with the packet's time", () => {
    const watch = watchAt(5);
    watch.begin();
    expect(watch.frameOrder).toBe(9);
    watch.arrives();
    watch.begin();
    expect([watch.frameOrder, watch.frontier]).toEqual([10, 10]);
  });

  it("is that of an earlier packet where messages had to wait", () => {
    const watch = watchAt(5);
    watch.arrives();
    watch.begin();
    watch.waits("packet", origin(5), origin(5));
    watch.packet(8, 100);
    watch.arrives();
    watch.begin();
    watch.reach(12);
    expect([watch.frameOrder, watch.frontier]).toEqual([12, 11]);
    watch.waits("nothing", undefined, origin(8));
    watch.begin();
    expect([watch.frameOrder, watch.isUncertain]).toEqual([16, false]);
    expect(watch.held.captured).toBe(164);
  });

  it("is different for each conversation that ends with the capture", () => {
    const watch = watchAt(5);
    const orders = [1, 2, 3].map(() => {
      watch.ending();
      watch.begin();
      return watch.frameOrder;
    });
    expect(orders).toEqual([12, 14, 16]);
  });
});

describe("the order of messages is uncertain", () => {
  const waiting = () => {
    const watch = watchAt(5);
    watch.arrives();
    watch.begin();
    watch.waits("packet", origin(5), origin(5));
    return watch;
  };

  it.each<readonly [string, (watch: OrderWatch) => void]>([
    ["while a message is searched for", (watch) => watch.waits("search", origin(5), origin(6))],
    ["after a long time", (watch) => watch.waits("nothing", undefined, origin(6, 5 + defaultLimits.turnSeconds))],
    ["if nobody waits any more", (watch) => watch.overdue()],
    ["if something is passed on at once meanwhile", (watch) => watch.atOnce(() => watch.emits())],
    [
      "if something is passed on that came before",
      (watch) => {
        watch.reach(8);
        watch.emits();
      },
    ],
  ])("%s", (_why, happen) => {
    const watch = waiting();
    watch.reach(10);
    watch.emits();
    expect(watch.isUncertain).toBe(false);
    happen(watch);
    expect(watch.isUncertain).toBe(true);
  });
});
