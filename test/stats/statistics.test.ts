import { expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { struct, u8 } from "../../src/schema/index.js";
import { NameBook } from "../../src/session/name-book.js";
import { Statistics } from "../../src/stats/index.js";
import { messageOf } from "../filter/support/messages.js";
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

it("players are called by their latest names, whichever run knows them", () => {
  const [one, other] = [new NameBook(defaultLimits, () => {}), new NameBook(defaultLimits, () => {})];
  const statistics = new Statistics(defaultLimits);
  const context = { player: { kind: "player", id: "1" } };
  const named = (names: NameBook) => {
    statistics.take(messageOf(struct("Greeting", { to: u8 }), "01", {}, { names, context }));
    return statistics.players.map(({ name, c2s }) => `${name} ${c2s.count}`);
  };
  expect(named(one)).toEqual([" 1"]);
  one.set("player", "1", "Alice");
  other.set("player", "1", "Bob");
  expect([named(one), named(other), named(one)]).toEqual([["Alice 2"], ["Bob 3"], ["Alice 4"]]);
  one.forget("player", "1");
  expect(named(one)).toEqual(["Alice 5"]);
  one.set("player", "1", "Carol");
  expect(named(one)).toEqual(["Carol 6"]);
});
