import type { Limits } from "../../src/limits.js";
import { type Play, written } from "../support/order-play.js";
import type { Scenario } from "./scenario.js";

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

/** Limits of captures written by the program. */
export const exportScenarios = {
  orderSeconds: { value: 1, observe, limited: ["two", "three", "one", "late 1"], otherwise },
  orderBytes: { value: 600, observe, limited: ["two", "three", "one", "late 1"], otherwise },
} satisfies Partial<Record<keyof Limits, Scenario>>;
