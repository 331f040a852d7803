import { viewOf } from "../../src/schema/language/byte-source.js";
import { hex } from "../../src/schema/tree/leaf.js";
import type { Random } from "../support/random.js";
import { SKIMMED, SkimCheck } from "../support/skim-check.js";
import type { Level } from "./level.js";
import { Mutator } from "./mutate.js";
import { indices, type Seed } from "./seeds.js";
import { Finding } from "./soundness.js";

/** Single values of declared types, skimmed and decoded: both have to find the same. */
export class Skimmed implements Level {
  readonly name = "skimmed";
  input = "";
  readonly #check = new SkimCheck();
  readonly #mutator: Mutator;

  constructor(
    readonly seeds: readonly Seed[],
    settings: unknown,
  ) {
    this.#check.settings = settings;
    this.#mutator = new Mutator(
      seeds.map(({ bytes }) => bytes),
      indices,
    );
  }

  run(random: Random): number {
    const { from, type, bytes: sound } = random.pick(this.seeds);
    const changed = random.below(8) === 0 ? sound : this.#mutator.mutated(sound, random);
    const bytes = random.below(4) === 0 ? changed.subarray(0, random.below(changed.length + 1)) : changed;
    const extent = random.pick(SKIMMED);
    const difference = this.#check.difference(
      type,
      { bytes, view: viewOf(bytes), start: 0, end: bytes.length },
      extent,
    );
    if (difference !== undefined) {
      this.input = `${from}, extent ${extent}: ${hex(bytes)}`;
      throw new Finding(`skimming and decoding differ: ${difference}`);
    }
    return bytes.length;
  }
}
