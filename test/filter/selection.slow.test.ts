import { describe, expect, it } from "vitest";
import { type FieldPath, FilterError, parsePath, resolvePath, Vocabulary } from "../../src/filter/index.js";
import { always } from "../../src/filter/predicate.js";
import { dissectors } from "../../src/index.js";
import { defaultLimits } from "../../src/limits.js";
import { valueJson } from "../../src/output/json/field-json.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { SkimmingDecoder } from "../../src/schema/skim/skimming-decoder.js";
import { recordedSeeds, type Seed, vectorSeeds } from "../fuzz/seeds.js";
import { windowOn } from "../schema/support/decoding.js";
import { Random } from "../support/random.js";
import { expectSame } from "../support/same.js";

/** What a path finds in a message that was skimmed for it is what it finds in the whole tree. */

const vocabulary = new Vocabulary(dissectors);
const names = [...vocabulary.names()];
/** Messages of one type that are tried. */
const FEW = 3;
/** Paths that one decoder is asked for: it compiles for a limited number of selections, two for each path. */
const AT_ONCE = 15;

/** A path that leads to a random node of a tree, with some of the names around it. */
function pathIn(nodes: FieldTree, random: Random): FieldPath | undefined {
  const target = random.below(nodes.count);
  const names: string[] = [];
  for (let node = 0; node <= target; node++) {
    if (nodes.nextOf(node) <= target && node !== target) continue;
    const { name, struct } = nodes.field(node);
    const isPart = node === target || random.below(3) === 0;
    if (isPart && name !== "") names.push(name);
    if (isPart && struct !== undefined && random.below(3) === 0) names.push(struct.name);
    const derived = struct?.derived.at(random.below(struct.derived.length))?.name;
    if (node === target && derived !== undefined && random.below(2) === 0) names.push(derived);
  }
  return pathOf(names.slice(-3).join("."));
}

/** Undefined for a text that is no path. */
function pathOf(text: string): FieldPath | undefined {
  try {
    return resolvePath(parsePath(text), vocabulary, text);
  } catch (error) {
    if (error instanceof FilterError) return undefined;
    throw error;
  }
}

/** What a path finds: values as JSON, in wire order. */
function found(path: FieldPath, nodes: FieldTree): readonly unknown[] {
  const values: unknown[] = [];
  path.some(nodes, {
    node: (tree, node) => {
      values.push([tree.field(node).name, tree.startOf(node), tree.endOf(node), valueJson(tree, node)]);
      return false;
    },
    scalar: (scalar) => {
      values.push(scalar);
      return false;
    },
  });
  return [path.some(nodes, always), ...values];
}

function fewOfEach(seeds: readonly Seed[]): Seed[] {
  const counts = new Map<unknown, number>();
  return seeds.filter(({ type }) => {
    counts.set(type, (counts.get(type) ?? 0) + 1);
    return (counts.get(type) ?? 0) <= FEW;
  });
}

describe("a path finds the same in a message that was skimmed for it as in the whole tree", () => {
  it.each([
    ["a name", (_nodes: FieldTree, random: Random) => pathOf(names[random.below(names.length)] ?? "")],
    ["names that lead somewhere", pathIn],
  ])("%s", async (_what, choose) => {
    const random = new Random(2026);
    const recorded = await recordedSeeds(2);
    const long = recorded.filter(({ bytes }) => bytes.length > 40).slice(0, 200);
    const seeds = [...fewOfEach([...vectorSeeds(), ...recorded]), ...long];
    const decoder = new Decoder();
    const wholeOf = ({ from, type, bytes }: Seed): FieldTree => {
      if (decoder.decode(type, windowOn(bytes), Extent.Exact)) return decoder.nodes;
      throw new Error(`${from} is not whole`);
    };
    let [reduced, values] = [0, 0];
    for (let round = 0; round < 12; round++) {
      const paths = Array.from({ length: AT_ONCE }, () => {
        const seed = seeds[random.below(seeds.length)];
        return seed && choose(wholeOf(seed), random);
      }).filter((path) => path !== undefined);
      const skimming = new SkimmingDecoder(defaultLimits, { isEager: true });
      for (const seed of seeds) {
        const whole = wholeOf(seed);
        expectSame(skimming.decode(seed.type, windowOn(seed.bytes), Extent.Exact), true);
        const skimmed = skimming.nodes;
        for (const path of paths) {
          const [actual, expected] = [found(path, skimmed), found(path, whole)];
          if (JSON.stringify(actual, plain) !== JSON.stringify(expected, plain)) {
            const text = path.steps.map(({ name }) => name).join(".");
            expect(actual, `${text} in ${seed.from}`).toEqual(expected);
          }
          values += expected.length - 1;
        }
        if (
          paths.some((path) => path.some(skimmed, { node: ({ count }) => count < whole.count, scalar: () => false }))
        ) {
          reduced++;
        }
      }
    }
    expect(values).toBeGreaterThan(100);
    expect(reduced).toBeGreaterThan(10);
  });
});

function plain(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
