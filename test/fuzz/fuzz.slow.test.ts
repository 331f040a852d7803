import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { struct, u8 } from "../../src/schema/index.js";
import { Nodes } from "../../src/schema/tree/nodes.js";
import { randomValue } from "../schema/support/random-value.js";
import { decodeWhole } from "../support/check.js";
import { Random } from "../support/random.js";
import type { Classes } from "./classes.js";
import type { Level } from "./level.js";
import { hostileLevels } from "./levels.js";
import { Mutator } from "./mutate.js";
import { runLevel } from "./runner.js";
import { types } from "./seeds.js";
import { checkTree } from "./soundness.js";

/** The part of the fuzzing that runs every time, always with the same inputs. `npm run fuzz` tries more of them. */

const SEED = 20_241_120;
const LIMIT = 300_000;
/** How long an input takes is judged by `npm run fuzz`: here the machine may be busy with anything. */
const UNTIMED = { anyhow: Number.POSITIVE_INFINITY };

let levels: Awaited<ReturnType<typeof hostileLevels>>;
beforeAll(async () => {
  levels = await hostileLevels();
}, LIMIT);

function classes(): Classes {
  return levels.classes;
}

describe("changed bytes cause no fault", () => {
  it.each([
    ["classes", 6000],
    ["skimmed", 10_000],
    ["plaintext", 120],
    ["segments", 80],
    ["forged", 60],
    ["damaged", 60],
    ["datagrams", 60],
    ["files", 180],
    ["commands", 40],
    ["given", 200],
  ])(
    "%s: %d inputs",
    async (name, count) => {
      const level = levels.all.find((one) => one.name === name);
      if (level === undefined) throw new Error(`there is no level ${name}`);
      const { inputs, findings } = await runLevel(level, { seed: SEED, from: 0, count }, UNTIMED);
      expect(findings.map(({ index, error, input }) => `${index}: ${error} (${input.slice(0, 2000)})`)).toEqual([]);
      expect(inputs).toBe(count);
    },
    LIMIT,
  );

  it(
    "every beginning of every value",
    () => {
      let inputs = 0;
      for (const seed of classes().seeds) {
        // Of the many made from declarations, the longer ones show nothing new.
        if (seed.bytes.length > 400) continue;
        for (let length = 0; length < seed.bytes.length; length++) {
          for (const extent of [Extent.Exact, Extent.Cut, Extent.Open]) {
            classes().check(seed, seed.bytes.subarray(0, length), extent);
            inputs++;
          }
        }
      }
      expect(inputs).toBeGreaterThan(100_000);
    },
    LIMIT,
  );

  it(
    "values made from the declarations",
    () => {
      const mutator = new Mutator([Uint8Array.of(0xff, 0xff, 0xff, 0xff)], [0x8000]);
      const value = fc.tuple(fc.constantFrom(...types), fc.nat(), fc.constantFrom(...Object.values(Extent)));
      const property = fc.property(value, ([[name, type], number, extent]) => {
        const random = new Random(number);
        const bytes = encode(type, randomValue(type, random, random.below(3)));
        const seed = { from: name, type, bytes };
        classes().check(seed, bytes, extent, random);
        classes().check(seed, mutator.mutated(bytes, random), extent, random);
      });
      fc.assert(property, { seed: SEED, numRuns: 1200 });
    },
    LIMIT,
  );
});

it.each(["Cli2Auth_VaultNodeCreate", "plNetMsgGameMessage", "plNetMsgTestAndSet", "plNetMsgVoice"])(
  "generated values of %s contain what follows a computed length",
  (name) => {
    const made = classes().seeds.filter(({ from }) => from === `generated ${name}`);
    expect(made.map(({ type, bytes }) => decodeWhole(type, bytes).outcome)).toEqual(["ok", "ok", "ok", "ok"]);
  },
);

describe("the fuzzer", () => {
  const thrower: Level = {
    name: "thrower",
    input: "what it was",
    run(random) {
      const length = random.below(1000);
      if (length < 20) throw new RangeError(`${length} is too little`);
      return length;
    },
  };

  it("reports what is thrown, with the number that reproduces it", async () => {
    const { findings } = await runLevel(thrower, { seed: 7, from: 0, count: 1000 }, { mostFindings: 5 });
    expect(findings).toHaveLength(5);
    for (const { index, error, input } of findings) {
      expect(input).toBe("what it was");
      const again = await runLevel(thrower, { seed: 7, from: index, count: 1 });
      expect(again.findings).toEqual([{ index, error, input }]);
    }
  });

  it("reports what takes too long for its size", async () => {
    let [now, spent] = [0, 0];
    const clock = { now: () => now, spent: () => spent };
    /** Takes this long, of which the processor needs so much. */
    const idler = (time: number, processor: number): Level => ({
      name: "idler",
      input: "",
      run() {
        now += time;
        spent += processor;
        return 10;
      },
    });
    const found = async (level: Level) => {
      const { findings } = await runLevel(level, { seed: 1, from: 0, count: 1 }, { anyhow: 50, clock });
      return findings.map(({ error }) => String(error));
    };
    expect(await found(idler(70, 60))).toEqual(["Error: 10 bytes take 70 ms"]);
    expect(await found(idler(70, 40))).toEqual([]);
    expect(await found(idler(40, 40))).toEqual([]);
  });

  it("detects a tree that has lost a byte, has one twice, or refers to nothing", () => {
    const Three = struct("Three", { a: u8, b: u8, c: u8 });
    const tree = () => {
      const nodes = decodeWhole(Three, Uint8Array.of(1, 2, 3));
      if (!(nodes instanceof Nodes)) throw new Error("the tree is in no store");
      return nodes;
    };
    checkTree(tree());
    const lost = tree();
    lost.end[3] = 2;
    expect(() => checkTree(lost)).toThrow("source 0 has 3 bytes, its leaves 2");
    const twice = tree();
    twice.start[2] = 0;
    expect(() => checkTree(twice)).toThrow("b begins at 0, the leaf before it ended at 1");
    const stray = tree();
    stray.note("ok", "note", 4, "on nothing");
    expect(() => checkTree(stray)).toThrow("a note is on node 4 of 4");
    const short = tree();
    short.next[0] = 2;
    expect(() => checkTree(short)).toThrow("the root ends before node 2 of 4");
  });
});
