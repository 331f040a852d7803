import { describe, expect, it } from "vitest";
import { plClientGuid } from "../../../dissectors/moul/common/plNetCommon/plClientGuid.js";
import { learnNames } from "../../../src/dissect/learn-names.js";
import { defaultLimits } from "../../../src/limits.js";
import { encode } from "../../../src/schema/encode/encode.js";
import { NameBook } from "../../../src/session/name-book.js";
import { decodeWhole } from "../../support/check.js";

/** Adds the names known from a plClientGuid in which a player has this name. */
function learn(names: NameBook, flags: number, id: "playerId" | "tempPlayerId", playerName: string): void {
  const bytes = encode<unknown>(plClientGuid, { flags, [id]: 10124, playerName });
  learnNames(decodeWhole(plClientGuid, bytes), names);
}

describe.each([
  ["playerId", 0x42],
  ["tempPlayerId", 0x44],
] as const)("the name beside a %s", (id, flags) => {
  it("is used if no better one is known", () => {
    const names = new NameBook(defaultLimits, () => {});
    learn(names, flags, id, "J??e");
    expect(names.get("player", "10124")).toBe("J??e");
  });

  it("gives way to the player's name in other messages", () => {
    const names = new NameBook(defaultLimits, () => {});
    names.set("player", "10124", "Jūše");
    learn(names, flags, id, "J??e");
    expect(names.get("player", "10124")).toBe("Jūše");
  });
});
