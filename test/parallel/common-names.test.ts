import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { CommonNames } from "../../src/parallel/shares/common-names.js";

/** Names that conversations of several threads have in common. */

const FINAL = { isProvisional: false };
const PROVISIONAL = { isProvisional: true };
const age = { kind: "age", id: "7" };
const server = { kind: "server", id: "1" };
const player = { kind: "player", id: "5" };
const at = (frameOrder: number, number = frameOrder) => ({ frameOrder, number });

function namesOf(limits = defaultLimits) {
  const reasons: string[] = [];
  const names = new CommonNames(limits, (why) => void reasons.push(why)).of("toy");
  return { names, reasons };
}

describe("the name of a thing", () => {
  it("is the one that it had at a message, whichever thread has learnt it", () => {
    const { names, reasons } = namesOf();
    names.learn(player, "Atrus", FINAL, at(2));
    names.follow(player, at(4));
    names.learn(player, "Yeesha", FINAL, at(6, 3));
    names.learn(player, "Sirrus", PROVISIONAL, at(7));
    names.learn(player, "Achenar", FINAL, at(9));
    expect([4, 5, 7, 8, 12].map((frameOrder) => names.nameAt(player, at(frameOrder)))).toEqual([
      "Atrus",
      "Atrus",
      "Yeesha",
      "Yeesha",
      "Achenar",
    ]);
    expect([2, 3, 4].map((number) => names.nameAt(player, at(6, number)))).toEqual(["Atrus", "Yeesha", "Yeesha"]);
    expect(reasons).toEqual([]);
  });

  it("is that of another thing, as it is called by then", () => {
    const { names } = namesOf();
    names.follow(server, at(1));
    names.learn(server, age, { ...FINAL, before: "Age " }, at(2));
    names.learn(age, "City", FINAL, at(3));
    names.learn(server, age, { ...FINAL, before: "Age " }, at(4));
    expect([2, 3, 4].map((frameOrder) => names.nameAt(server, at(frameOrder)))).toEqual([
      undefined,
      undefined,
      "Age City",
    ]);
  });

  it("is uncertain if a thread has made it of a name that another one knew better, until it is learnt otherwise", () => {
    const { names, reasons } = namesOf();
    names.follow(server, at(1));
    names.learn(age, "City", FINAL, at(2));
    names.asked(age, undefined, { thing: server, ...FINAL }, at(3));
    names.learn(server, "unnamed", FINAL, at(3));
    names.learn(server, "Ae'gura", FINAL, at(5));
    expect([names.nameAt(server, at(5)), reasons]).toEqual(["Ae'gura", []]);
    names.nameAt(server, at(4));
    expect(reasons).toEqual(["a name is uncertain"]);
  });

  it("may be asked for by each thread, if it is known to it as to all", () => {
    const { names, reasons } = namesOf();
    names.learn(age, "City", FINAL, at(2));
    names.asked(age, "City", { thing: undefined, ...FINAL }, at(3));
    expect(reasons).toEqual([]);
    names.asked(age, undefined, { thing: undefined, ...FINAL }, at(4));
    expect(reasons).toEqual(["a message depends on a name"]);
  });

  it("is not kept beyond the limits, which is said", () => {
    const { names, reasons } = namesOf({ ...defaultLimits, names: 1 });
    names.learn(age, "City", FINAL, at(1));
    names.learn({ ...age, id: "8" }, "Garden", FINAL, at(2));
    expect(reasons).toEqual(['the limit "names" was reached']);
  });
});
