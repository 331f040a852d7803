import { expect, it } from "vitest";
import { microsecondText, secondText } from "../../src/schema/tree/instant.js";

// The first row comes first: the latest result is cached, and nothing is cached yet.
it.each([
  [-1, "1969-12-31T23:59:59"],
  [0, "1970-01-01T00:00:00"],
  [0, "1970-01-01T00:00:00"],
  [951_782_400, "2000-02-29T00:00:00"],
  [1_795_150_507, "2026-11-20T04:55:07"],
  [2 ** 32 - 1, "2106-02-07T06:28:15"],
  [2 ** 32, "2106-02-07T06:28:16"],
  [1_795_150_506, "2026-11-20T04:55:06"],
  [253_402_300_799, "9999-12-31T23:59:59"],
  [253_402_300_801, "+010000-01-01T00:00:01"],
  [-62_167_219_201, "-000001-12-31T23:59:59"],
])("%i seconds since 1970 are %s", (seconds, text) => {
  expect(secondText(seconds)).toBe(text);
});

it("has six digits for microseconds", () => {
  expect([0, 7, 1000, 980_949, 999_999].map(microsecondText)).toEqual([
    "000000",
    "000007",
    "001000",
    "980949",
    "999999",
  ]);
});
