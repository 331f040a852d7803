import { describe, expect, it } from "vitest";
import { bar, sparkline } from "../../src/output/statistics/bars.js";
import { BoundedMap, OTHERS } from "../../src/stats/bounded-map.js";
import { Quantiles } from "../../src/stats/quantiles.js";
import { Timeline } from "../../src/stats/timeline.js";

describe("quantiles", () => {
  it("of a few values are exact", () => {
    const quantiles = new Quantiles();
    expect(quantiles.at(0.5)).toBeNaN();
    for (const value of [5, 1, 4, 2, 3]) quantiles.add(value);
    expect([0, 0.5, 0.95, 1].map((share) => quantiles.at(share))).toEqual([1, 3, 5, 5]);
    expect([quantiles.min, quantiles.max, quantiles.count]).toEqual([1, 5, 5]);
  });

  it("of many values are off by 1 % at most, in any order", () => {
    const quantiles = new Quantiles();
    const count = 50_000;
    // Every number below the count once, in an order that looks random.
    for (let at = 0; at < count; at++) quantiles.add(((at * 7919) % count) + 1);
    for (const share of [0.01, 0.25, 0.5, 0.95, 0.999]) {
      expect(Math.abs(quantiles.at(share) / (share * count) - 1)).toBeLessThan(0.0101);
    }
    expect([quantiles.at(0), quantiles.at(1)]).toEqual([1, count].map((end) => expect.closeTo(end, end === 1 ? 1 : 6)));
    expect([quantiles.min, quantiles.max]).toEqual([1, count]);
  });

  it("accept zero and huge values", () => {
    const quantiles = new Quantiles();
    for (let at = 0; at < 3000; at++) quantiles.add(at < 1500 ? 0 : 1e300);
    expect(quantiles.at(0.2)).toBeCloseTo(0, 5);
    expect(quantiles.at(1)).toBe(1e300);
  });
});

describe("the timeline", () => {
  it("keeps all counts in a bounded number of columns", () => {
    const timeline = new Timeline();
    for (let second = 0; second < 10_000; second++) timeline.add(second);
    expect(timeline.columns.length).toBeLessThanOrEqual(60);
    expect(timeline.columns.length).toBeGreaterThan(29);
    expect(timeline.columns.reduce((sum, count) => sum + count, 0)).toBe(10_000);
  });

  it.each([
    [[0, 0.5, -0.5, 0.25], 0.032],
    [[0, -0.001, -0.002], 0.001],
    [[0, -1e9], 17_179_869.184],
  ])("puts each event at its time, in whatever order they come: %j", (events, width) => {
    const timeline = new Timeline();
    for (const seconds of events) timeline.add(seconds);
    const columns = events.map((seconds) => Math.floor(seconds / width));
    const first = Math.min(...columns);
    const counts = Array<number>(Math.max(...columns) - first + 1).fill(0);
    for (const column of columns) counts[column - first] = (counts[column - first] ?? 0) + 1;
    expect([timeline.width, timeline.columns]).toEqual([expect.closeTo(width, 9), counts]);
    expect(counts.length).toBeLessThanOrEqual(60);
  });

  it("has as many columns as it takes, wherever it begins", () => {
    for (const step of [1, -1, 7, -7]) {
      const timeline = new Timeline();
      for (let at = 0; at < 1000; at++) timeline.add((at * step) / 1000);
      expect(timeline.columns.length).toBeLessThanOrEqual(60);
      expect(timeline.columns.length * timeline.width).toBeCloseTo(Math.abs(step), 0);
      expect(timeline.columns.reduce((sum, count) => sum + count, 0)).toBe(1000);
    }
  });
});

describe("a bounded map", () => {
  it("combines what is beyond its limit", () => {
    const map = new BoundedMap(() => ({ count: 0 }), 2);
    for (const key of ["a", "b", "c", "d", "a", "c"]) map.of(key).count++;
    expect(map.entries()).toEqual([
      ["a", { count: 2 }],
      ["b", { count: 1 }],
      [OTHERS, { count: 3 }],
    ]);
  });
});

describe("bars", () => {
  it("show shares in eighths of a column", () => {
    expect([1, 0.5, 0.001, 0, Number.NaN, 2].map((share) => bar(share, 4))).toEqual([
      "████",
      "██",
      "▏",
      "",
      "",
      "████",
    ]);
    expect(bar(3 / 32, 4)).toBe("▍");
    expect(sparkline([0, 1, 4, 8])).toBe(" ▁▄█");
  });
});
