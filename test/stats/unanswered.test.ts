import { expect, it } from "vitest";
import { Unanswered } from "../../src/stats/unanswered.js";

it("requests without a reply are counted, and the first of them named, in bounded memory", () => {
  const requests = new Unanswered();
  // Replies to requests that the capture does not have are not told to it.
  for (let number = 1; number <= 3000; number++) requests.asked(number);
  for (const number of [1, 3, 2999]) requests.settled({ number });
  expect(requests.count).toBe(2997);
  expect(requests.numbers).toEqual([2, 4, 5, 6, 7]);
  // Those that were behind the first thousand are only counted.
  for (let number = 1; number <= 1000; number++) if (![1, 3].includes(number)) requests.settled({ number });
  expect([requests.count, requests.numbers]).toEqual([1999, []]);
});
