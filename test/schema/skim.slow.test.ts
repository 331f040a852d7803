import { describe, expect, it } from "vitest";
import { encode } from "../../src/schema/encode/encode.js";
import type { Type } from "../../src/schema/index.js";
import { recordedSeeds, vectorSeeds } from "../fuzz/seeds.js";
import { Random } from "../support/random.js";
import { SKIMMED, SkimCheck } from "../support/skim-check.js";
import { windowOn } from "./support/decoding.js";
import { randomStruct } from "./support/random-declaration.js";
import { randomValue } from "./support/random-value.js";
import { differences } from "./support/skimming.js";

/** What is skimmed is what would be decoded: the same ends, the same needs, the same classes. */

/** Every beginning of some bytes; of long ones, many. */
function* beginnings(bytes: Uint8Array): Generator<Uint8Array> {
  const step = Math.max(1, Math.floor(bytes.length / 60));
  for (let length = 0; length < bytes.length; length += step) yield bytes.subarray(0, length);
}

/** The bytes with one changed, many times. */
function* changed(bytes: Uint8Array, random: Random, times: number): Generator<Uint8Array> {
  for (let time = 0; time < times && bytes.length > 0; time++) {
    const copy = bytes.slice();
    copy[random.below(copy.length)] = random.below(4) === 0 ? 0xff : random.below(256);
    yield copy;
  }
}

describe("skimmed messages", () => {
  it("that are cut off need as many bytes", async () => {
    const check = new SkimCheck();
    expect(
      differences(check, [...vectorSeeds(), ...(await recordedSeeds(1))], ({ bytes }) => beginnings(bytes)),
    ).toEqual([]);
  });

  it("that are damaged are left to the decoder where it has something to say", async () => {
    const check = new SkimCheck();
    const random = new Random(48);
    const seeds = [...vectorSeeds(), ...(await recordedSeeds(1))];
    expect(differences(check, seeds, ({ bytes }) => changed(bytes, random, 25))).toEqual([]);
  });

  it("of random declarations end where they do when decoded", () => {
    const check = new SkimCheck();
    const found: string[] = [];
    for (let seed = 0; seed < 200; seed++) {
      const random = new Random(seed);
      const type: Type<unknown> = randomStruct(random, 3, seed % 2 === 0);
      const whole = encode(type, randomValue(type, random));
      for (const bytes of [whole, ...changed(whole, random, 5), ...beginnings(whole)]) {
        for (const extent of SKIMMED) {
          const difference = check.difference(type, windowOn(bytes), extent);
          if (difference !== undefined) found.push(`declaration ${seed}, extent ${extent}: ${difference}`);
        }
      }
    }
    expect(found.slice(0, 5)).toEqual([]);
  });
});
