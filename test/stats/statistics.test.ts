import { expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { Statistics } from "../../src/stats/index.js";
import { conversation } from "../support/made-captures.js";

it("the time of all messages extends from the earliest to the latest, in whatever order they come", () => {
  const statistics = new Statistics(defaultLimits);
  const gap = { name: "gap", status: "truncated", nodes: undefined, offset: 0, length: 1, notes: [] } as const;
  const place = { number: 1, frames: [1], conversation: conversation(0), direction: "c2s", protocol: "toy" } as const;
  const seconds = [5, 15, 10, 3, 4].map((second) => {
    statistics.take({ ...gap, ...place, origin: { frame: 1, seconds: second, nanoseconds: 500_000_000 } });
    return statistics.seconds;
  });
  expect(seconds).toEqual([0, 10, 10, 12, 12]);
  expect(statistics.first?.seconds).toBe(3);
  const { columns, width } = statistics.timeline;
  const times = columns.flatMap((count, column) => Array<number>(count).fill(3 + column * width));
  expect(times).toEqual([3, 4, 5, 10, 15].map((second) => expect.closeTo(second, 0)));
});
