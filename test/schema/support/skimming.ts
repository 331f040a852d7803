import type { Seed } from "../../fuzz/seeds.js";
import { SKIMMED, type SkimCheck } from "../../support/skim-check.js";
import { windowOn } from "./decoding.js";

/** What skimming finds that decoding does not, or the other way round, in bytes made of each seed. */
export function differences(
  check: SkimCheck,
  seeds: readonly Seed[],
  bytesOf: (seed: Seed) => Iterable<Uint8Array>,
): string[] {
  const found: string[] = [];
  for (const seed of seeds) {
    for (const bytes of bytesOf(seed)) {
      for (const extent of SKIMMED) {
        const difference = check.difference(seed.type, windowOn(bytes), extent);
        if (difference !== undefined) found.push(`${seed.from}, extent ${extent}, ${bytes.length}: ${difference}`);
      }
    }
  }
  return found;
}
