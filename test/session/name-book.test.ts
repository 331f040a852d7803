import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { NameBook } from "../../src/session/name-book.js";

describe("the name book", () => {
  it("keeps the latest name of each thing, by kind", () => {
    const names = new NameBook(defaultLimits, () => {});
    names.set("player", "1", "Alice");
    names.set("age", "1", "city");
    names.set("player", "1", "Bob");
    expect(names.get("player", "1")).toBe("Bob");
    expect(names.get("age", "1")).toBe("city");
    expect(names.get("player", "2")).toBeUndefined();
    expect(names.get("account", "1")).toBeUndefined();
  });

  it("forgets a name on request", () => {
    const names = new NameBook(defaultLimits, () => {});
    names.set("player", "1", "Alice");
    names.set("age", "1", "city");
    names.within("there").set("player", "1", "Bob");
    names.forget("player", "1");
    names.forget("node", "1");
    expect(names.get("player", "1")).toBeUndefined();
    expect(names.get("age", "1")).toBe("city");
    expect(names.within("there").get("player", "1")).toBe("Bob");
    expect([names.scope, names.within("there").scope]).toEqual([undefined, "there"]);
  });

  it("counts changes of any scope, and nothing else", () => {
    const names = new NameBook(defaultLimits, () => {});
    const there = names.within("there");
    const counted = (act: () => void) => {
      const before = names.revision ?? 0;
      act();
      expect(there.revision).toBe(names.revision);
      return (names.revision ?? 0) - before;
    };
    expect(counted(() => there.set("player", "1", "Alice"))).toBe(1);
    expect(counted(() => there.set("player", "1", "Alice"))).toBe(0);
    expect(counted(() => there.set("player", "1", "Bob"))).toBe(1);
    expect(counted(() => names.forget("player", "1"))).toBe(0);
    expect(counted(() => there.forget("player", "1"))).toBe(1);
    expect([there.revisionOf("player"), names.revisionOf("age")]).toEqual([3, 0]);
  });

  it("accepts no name that is empty, or too long", () => {
    const names = new NameBook(defaultLimits, () => {});
    names.set("player", "1", "Alice");
    names.set("player", "1", "");
    names.set("player", "1", "x".repeat(257));
    expect(names.get("player", "1")).toBe("Alice");
  });

  it("forgets the oldest names if there are very many, but only those of their kind", () => {
    const names = new NameBook(defaultLimits, () => {});
    names.set("player", "Alice", "Alice");
    for (let id = 0; id <= 100_000; id++) names.set("node", String(id), "x");
    expect(names.get("node", "0")).toBeUndefined();
    expect(names.get("node", "1")).toBe("x");
    expect(names.get("node", "100000")).toBe("x");
    expect(names.get("player", "Alice")).toBe("Alice");
  });
});
