import { describe, expect, it } from "vitest";
import { longList } from "../../src/web/page/panes/long-list.js";

const ROW = 20;
const ROOM = 400;
/** Pixels of the page that an element can have in Chromium at 400 % zoom. */
const HIGHEST = 2 ** 31 / 64 / 4;

describe("a list of many rows", () => {
  it.each([0, 10, 100_000, 400_000])("of %d is scrolled as it is", (count) => {
    const list = longList(count, ROW, ROOM);
    expect(list.height).toBe(count * ROW);
    for (const top of [0, 1, 333, count * ROW - ROOM].filter((one) => one >= 0 && one <= count * ROW - ROOM)) {
      expect(list.topAt(top)).toBe(top);
      expect(list.scrollFor(top)).toBe(top);
    }
  });

  it.each([400_001, 1_000_000, 1_500_000, 20_000_000])("of %d shows each of them, at any zoom", (count) => {
    const list = longList(count, ROW, ROOM);
    expect(list.height).toBeLessThan(HIGHEST);
    expect(list.topAt(0)).toBe(0);
    expect(list.topAt(list.height - ROOM)).toBeCloseTo(count * ROW - ROOM, 3);
    for (let row = 0; row < count - ROOM / ROW; row += Math.floor(count / 100)) {
      const scrollTop = list.scrollFor(row * ROW);
      expect(scrollTop).toBeLessThanOrEqual(list.height - ROOM);
      expect(list.topAt(scrollTop)).toBeCloseTo(row * ROW, 3);
    }
  });

  it("stays within its rows, however far a browser scrolls", () => {
    const list = longList(5, ROW, ROOM);
    expect(list.topAt(1000)).toBe(0);
    expect(longList(100, ROW, ROOM).topAt(1e9)).toBe(100 * ROW - ROOM);
    expect(longList(100, ROW, ROOM).scrollFor(-5)).toBe(0);
  });
});
