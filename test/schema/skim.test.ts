import { describe, expect, it } from "vitest";
import { recordedSeeds, vectorSeeds } from "../fuzz/seeds.js";
import { SkimCheck } from "../support/skim-check.js";
import { differences } from "./support/skimming.js";

/** What is skimmed is what would be decoded: the same ends, the same needs, the same classes. */

describe("skimmed messages", () => {
  it("of other implementations and of samples end where they do when decoded, and few are left to the decoder", async () => {
    const check = new SkimCheck();
    const seeds = [...vectorSeeds(), ...(await recordedSeeds(3))];
    expect(differences(check, seeds, ({ bytes }) => [bytes])).toEqual([]);
    expect(check.sound).toBeGreaterThan(seeds.length);
    expect(check.inVain / check.sound).toBeLessThan(0.1);
  });
});
