import { describe, expect, it } from "vitest";
import { timeBetween } from "../../src/output/time.js";

const at = (seconds: number, nanoseconds: number) => ({ frame: 1, seconds, nanoseconds });

describe("the time between two packets", () => {
  it.each([
    [at(5, 250_000_000), at(7, 0), "1.750000"],
    [at(7, 0), at(5, 250_000_000), "-1.750000"],
    [at(5, 1), at(6, 0), "0.999999"],
    [at(6, 0), at(5, 999_999_999), "-0.000000"],
    [at(5, 7), at(5, 7), "0.000000"],
  ])("is told in seconds: from %j to %j", (from, to, text) => {
    expect(timeBetween(from, to)).toBe(text);
  });

  it("is exact where it is of years, as after a packet without a time", () => {
    for (let microseconds = 0; microseconds < 1_000_000; microseconds += 997) {
      const digits = String(microseconds).padStart(6, "0");
      const late = at(1_795_150_507, microseconds * 1000);
      expect(timeBetween(at(0, 0), late)).toBe(`1795150507.${digits}`);
      expect(timeBetween(late, at(0, 0))).toBe(`-1795150507.${digits}`);
    }
  });
});
