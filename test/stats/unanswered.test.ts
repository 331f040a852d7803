import { expect, it } from "vitest";
import { Unanswered } from "../../src/stats/unanswered.js";

it("requests without a reply are counted, and the first of them named, in bounded memory", () => {
  const requests = new Unanswered();
  // Replies to requests that were not captured are not reported to it.
  for (let number = 1; number <= 20_000; number++) requests.asked(number, "toy");
  for (const number of [1, 3, 19_999]) requests.settled({ number }, "toy");
  expect(requests.counts).toEqual([{ protocol: "toy", count: 19_997, numbers: [2, 4, 5, 6, 7] }]);
  // Requests after the first ones are only counted.
  for (let number = 1; number <= 8192; number++) if (![1, 3].includes(number)) requests.settled({ number }, "toy");
  expect(requests.counts).toEqual([{ protocol: "toy", count: 20_000 - 8192 - 1, numbers: [] }]);
});

it("the request for the one vault node that the server does not have is named", () => {
  const requests = new Unanswered();
  for (let number = 1; number <= 5000; number++) requests.asked(number, "toy");
  for (let number = 1; number <= 5000; number++) if (number !== 4321) requests.settled({ number }, "toy");
  expect(requests.counts).toEqual([{ protocol: "toy", count: 1, numbers: [4321] }]);
});

it("replies to messages that are not requests do not reduce the count", () => {
  const requests = new Unanswered();
  requests.settled({ number: 1 }, "toy");
  requests.asked(2, "toy");
  requests.settled({ number: 1 }, "toy");
  expect(requests.counts).toEqual([{ protocol: "toy", count: 1, numbers: [2] }]);
});

it("requests of each protocol are counted for themselves, even if the version was not known when one was sent", () => {
  const requests = new Unanswered();
  requests.asked(1, "toy.1");
  requests.asked(2, "toy.2");
  requests.asked(3, "toy.1");
  requests.settled({ number: 1 }, "toy.2");
  expect(requests.counts).toEqual([
    { protocol: "toy.2", count: 1, numbers: [2] },
    { protocol: "toy.1", count: 1, numbers: [3] },
  ]);
  for (let number = 4; number <= 10_000; number++) requests.asked(number, "toy.2");
  for (let number = 2; number <= 9999; number++) requests.settled({ number }, "toy.2");
  expect(requests.counts).toEqual([{ protocol: "toy.2", count: 1, numbers: [] }]);
});

it("a request beyond those whose numbers are kept is settled by a reply of another protocol, if it can only be that", () => {
  const requests = new Unanswered();
  for (let number = 1; number <= 8193; number++) requests.asked(number, "toy.1");
  requests.settled({ number: 8193 }, "toy.2");
  expect(requests.counts).toMatchObject([{ protocol: "toy.1", count: 8192 }]);
  requests.asked(8194, "toy.2");
  requests.asked(8195, "toy.1");
  requests.settled({ number: 8194 }, "toy.2");
  expect(requests.counts).toMatchObject([{ protocol: "toy.1", count: 8193 }]);
});
