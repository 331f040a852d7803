import { readdirSync } from "node:fs";
import { expect } from "vitest";
import type { Limits } from "../../src/limits.js";
import { type Play, written } from "../support/order-play.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { captured, ran, type Scenario, talk } from "./scenario.js";

/** A packet that is settled after two others have arrived, each a second and some bytes later. */
function waiting(play: Play): void {
  const one = play.comes(play.slow, "one", 1);
  play.goes(play.quick, "two", 2);
  play.goes(play.quick, "three", 3);
  one();
}

const observe = async (limits: Partial<Limits>) =>
  (await written(waiting, limits)).map((line) => line.replace(/ \d\..*/, ""));

const otherwise = ["one", "two", "three", "late 0"];

/** How many parts come of three conversations. */
async function partsOfThree(limits: Partial<Limits>): Promise<number> {
  const folder = temporaryFolder();
  const capture = captured([1, 2, 3].flatMap((number) => talk(number).handshake()));
  const { stderr } = await ran(capture, limits, "split", "-o", folder, "--by", "size", "--size", "1");
  const parts = readdirSync(folder).length;
  expect(stderr.includes("--limit splitParts=N changes it")).toBe(parts < 3);
  return parts;
}

/** Limits of captures written by the program. */
export const exportScenarios = {
  orderSeconds: { value: 1, observe, limited: ["two", "three", "one", "late 1"], otherwise },
  splitParts: { value: 2, observe: partsOfThree, limited: 2, otherwise: 3 },
  orderBytes: { value: 600, observe, limited: ["two", "three", "one", "late 1"], otherwise },
} satisfies Partial<Record<keyof Limits, Scenario>>;
