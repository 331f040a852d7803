import { describe, expect, it } from "vitest";
import { TimeColumn, type TimeFormat } from "../../src/output/text/time-column.js";
import { timeBetween } from "../../src/output/writers/time.js";
import { expectSame } from "../support/same.js";

const at = (seconds: number, nanoseconds: number) => ({ frame: 1, seconds, nanoseconds });

describe("the time between two packets", () => {
  it.each([
    [at(5, 250_000_000), at(7, 0), "1.750000"],
    [at(7, 0), at(5, 250_000_000), "-1.750000"],
    [at(5, 1), at(6, 0), "0.999999"],
    [at(6, 0), at(5, 999_999_999), "-0.000000"],
    [at(5, 7), at(5, 7), "0.000000"],
  ])("is given in seconds: from %j to %j", (from, to, text) => {
    expect(timeBetween(from, to)).toBe(text);
  });

  it("is exact even over years, as after a packet without a time", () => {
    for (let microseconds = 0; microseconds < 1_000_000; microseconds += 997) {
      const digits = String(microseconds).padStart(6, "0");
      const late = at(1_795_150_507, microseconds * 1000);
      expectSame(timeBetween(at(0, 0), late), `1795150507.${digits}`);
      expectSame(timeBetween(late, at(0, 0)), `-1795150507.${digits}`);
    }
  });
});

describe("the column of times", () => {
  it.each<[TimeFormat, string[]]>([
    ["absolute", ["1970-01-01T00:00:05.000000Z", "1970-01-01T00:00:06.500000Z", "1970-01-01T00:00:09.000000Z"]],
    ["relative", ["1.000000", "2.500000", "5.000000"]],
    ["delta", ["0.000000", "1.500000", "2.500000"]],
  ])("is %s", (format, texts) => {
    const column = new TimeColumn(format);
    column.begin(at(4, 0));
    const shown = [at(5, 0), at(6, 500_000_000), at(9, 0)].map((origin) => column.text(origin).trim());
    expect(shown).toEqual(texts);
  });

  it.each<[TimeFormat, string[]]>([
    ["relative", ["1.000000", "-", "-0.500000", "2.000000"]],
    ["delta", ["0.000000", "-", "2.500000", "2.500000"]],
  ])("knows no time, %s, after the clock was set back, but that of packets that were mixed up", (format, texts) => {
    const column = new TimeColumn(format);
    column.begin({ ...at(4, 0), frame: 1 });
    const origins = [at(5, 0), at(1, 0), at(3, 500_000_000), at(6, 0)];
    const shown = origins.map((origin, index) => column.text({ ...origin, frame: index + 2 }).trim());
    expect(shown).toEqual(texts);
  });
});
