import { expect, it } from "vitest";
import { Unanswered } from "../../src/stats/unanswered.js";

it("requests without a reply are counted, and the first of them named, in bounded memory", () => {
  const requests = new Unanswered();
  // Replies to requests that were not captured are not reported to it.
  for (let number = 1; number <= 20_000; number++) requests.asked(number);
  for (const number of [1, 3, 19_999]) requests.settled({ number });
  expect(requests.count).toBe(19_997);
  expect(requests.numbers).toEqual([2, 4, 5, 6, 7]);
  // Requests after the first ones are only counted.
  for (let number = 1; number <= 8192; number++) if (![1, 3].includes(number)) requests.settled({ number });
  expect([requests.count, requests.numbers]).toEqual([20_000 - 8192 - 1, []]);
});

it("the request for the one vault node that the server does not have is named", () => {
  const requests = new Unanswered();
  for (let number = 1; number <= 5000; number++) requests.asked(number);
  for (let number = 1; number <= 5000; number++) if (number !== 4321) requests.settled({ number });
  expect([requests.count, requests.numbers]).toEqual([1, [4321]]);
});

it("replies to messages that are not requests do not reduce the count", () => {
  const requests = new Unanswered();
  requests.settled({ number: 1 });
  requests.asked(2);
  requests.settled({ number: 1 });
  expect([requests.count, requests.numbers]).toEqual([1, [2]]);
});
