import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { jsonLine } from "../../src/output/json/json.js";
import { reference, struct, u8 } from "../../src/schema/index.js";
import { NameBook } from "../../src/session/name-book.js";
import { messageOf } from "../filter/support/messages.js";

const Greeting = struct("Greeting", { from: reference(u8, "player"), to: reference(u8, "player") });

function namesIn(names: NameBook): unknown {
  return JSON.parse(jsonLine(messageOf(Greeting, "01 02", {}, { names }))).names;
}

const from = (name: string) => ({ path: "from", kind: "player", name });
const to = (name: string) => ({ path: "to", kind: "player", name });

describe("names in JSON", () => {
  it("are those that are known when the message comes, whatever was shown before", () => {
    const names = new NameBook(defaultLimits, () => {});
    expect(namesIn(names)).toBeUndefined();
    names.set("player", "1", "Alice");
    expect(namesIn(names)).toEqual([from("Alice")]);
    names.set("player", "2", "Bob");
    expect(namesIn(names)).toEqual([from("Alice"), to("Bob")]);
    names.set("player", "1", "Carol");
    names.forget("player", "2");
    expect(namesIn(names)).toEqual([from("Carol")]);
  });

  it("are those of the scope, in turns", () => {
    const names = new NameBook(defaultLimits, () => {});
    const [one, other] = [names.within("one"), names.within("other")];
    one.set("player", "1", "Alice");
    expect([namesIn(one), namesIn(other)]).toEqual([[from("Alice")], undefined]);
    other.set("player", "1", "Bob");
    expect([namesIn(one), namesIn(other), namesIn(names)]).toEqual([[from("Alice")], [from("Bob")], undefined]);
  });
});

it("a player has the name that its run knows, even if a dissector has one object for all", () => {
  const [one, other] = [new NameBook(defaultLimits, () => {}), new NameBook(defaultLimits, () => {})];
  const context = { player: { kind: "player", id: "1" } };
  const player = (names: NameBook) => JSON.parse(jsonLine(messageOf(Greeting, "01 02", {}, { names, context }))).player;
  expect(player(one)).toEqual({ id: 1 });
  one.set("player", "1", "Alice");
  other.set("player", "1", "Bob");
  expect([player(one), player(other), player(one)]).toEqual(["Alice", "Bob", "Alice"].map((name) => ({ id: 1, name })));
});
