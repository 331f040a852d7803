import { describe, expect, it } from "vitest";
import { lineFilter } from "../../src/filter/index.js";
import { derive, Family, polymorphic, struct, u8 } from "../../src/schema/index.js";
import { vocabularyOf } from "./support/messages.js";

/** What lines, which hold less than messages, can say about a display filter. */

const Place = struct("Place", { x: u8 });
const family = new Family("Thing", "thingIndex", u8);
const Thing = struct("Thing", { weight: u8 }, { tag: 1 });
const Lamp = derive("Lamp", Thing, { place: Place }, { tag: 2 });
family.register(Thing, Lamp);
const Delivery = struct("Delivery", { status: u8, thing: polymorphic(family) }, { tag: 3 });
const vocabulary = vocabularyOf(Delivery, Lamp);

const delivery = {
  message: "Delivery",
  protocol: "toy.words",
  direction: "c2s",
  status: "ok",
  classes: new Set(["Lamp"]),
} as const;

describe("a line", () => {
  it.each([
    ["status == ok", true],
    ["status == malformed", false],
    ["direction == c2s", true],
    ["direction == none", false],
    ["toy", true],
    ["not toy", false],
    ["Delivery", true],
    ["not Delivery", false],
    ["Lamp", true],
    ["not Lamp", false],
    ["not toy.numbers and Delivery", true],
  ])("says whether %s: %s", (filter, expected) => {
    expect(lineFilter(filter, vocabulary)(delivery)).toBe(expected);
  });

  it("says that it has a class by the name of a class derived from it", () => {
    expect(lineFilter("not Thing", vocabulary)(delivery)).toBe(false);
    const lamp = { ...delivery, message: "Lamp", classes: new Set<string>() };
    expect(lineFilter("not Thing", vocabulary)(lamp)).toBe(false);
    expect(lineFilter("Thing", vocabulary)({ ...delivery, classes: new Set<string>() })).toBe(false);
  });

  it.each([
    ["a field, even of the name of a fact", ".status"],
    ["a field", "weight == 5"],
    ["a class without a tag, which may be in a message without being named there", "Place"],
    ["what is in a class", "Lamp.weight"],
  ])("cannot say anything about %s", (_name, filter) => {
    expect(lineFilter(filter, vocabulary)(delivery)).toBe(true);
    expect(lineFilter(`not ${filter}`, vocabulary)(delivery)).toBe(true);
    expect(lineFilter(`not not ${filter}`, vocabulary)(delivery)).toBe(true);
  });

  it("may be of a conversation whose two ends are the same", () => {
    const message = { ...delivery, direction: "none" } as const;
    expect(lineFilter("direction == none", vocabulary)(message)).toBe(true);
    expect(lineFilter("direction == c2s", vocabulary)(message)).toBe(false);
  });
});
