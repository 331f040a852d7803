import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../src/limits.js";
import { fieldJson } from "../../src/output/json/field-json.js";
import { namedSchema } from "../../src/output/json-schema/message.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import type { StructType } from "../../src/schema/index.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { Random } from "../support/random.js";
import { expectSame } from "../support/same.js";
import { expectSound, windowOn } from "./support/decoding.js";
import { randomStruct } from "./support/random-declaration.js";
import { randomValue } from "./support/random-value.js";

const limits = { ...defaultLimits, depth: 32, nodes: 5000, inflated: 50_000 };
const decoder = new Decoder(limits);

interface Sample {
  readonly type: StructType<unknown>;
  readonly value: unknown;
  readonly bytes: Uint8Array;
  readonly random: Random;
}

/** Checks random values of random declarations, always the same ones. */
function forAll(numRuns: number, closed: boolean, check: (sample: Sample) => void): void {
  const property = fc.property(fc.nat(), (seed) => {
    const random = new Random(seed);
    const type = randomStruct(random, 3, closed);
    const value = randomValue(type, random);
    check({ type, value, bytes: encode(type, value), random });
  });
  fc.assert(property, { seed: 20_240_229, numRuns });
}

function decoded(type: StructType<unknown>, bytes: Uint8Array, extent: Extent): FieldTree {
  expectSame(decoder.decode(type, windowOn(bytes), extent), true);
  return decoder.nodes;
}

/** All observable properties of a tree. */
function everything(nodes: FieldTree): unknown {
  return [fieldJson(nodes, 0), nodes.outcome, nodes.notes, nodes.count, nodes.sources.map(({ length }) => length)];
}

/** True for a value that may as well be absent: it has no bytes on the wire. */
function isNothing(value: unknown): boolean {
  if (value === "" || value === undefined) return true;
  if (value instanceof Uint8Array || Array.isArray(value)) return [...value].every(isNothing);
  return typeof value === "object" && value !== null && Object.values(value).every(isNothing);
}

/** Checks that everything given is found again; what was omitted may be found, too. */
function expectGiven(given: unknown, found: unknown): void {
  if (found instanceof Exact) expectGiven(given, found.value);
  else if (Array.isArray(given) && Array.isArray(found)) {
    expect(found.length).toBe(given.length);
    for (const [index, element] of given.entries()) expectGiven(element, found[index]);
  } else if (isMembers(given) && isMembers(found)) {
    for (const [name, member] of Object.entries(given)) {
      if (found[name] !== undefined || !isNothing(member)) expectGiven(member, found[name]);
    }
    for (const name of Object.keys(found)) expect(name in given || typeof found[name] === "number", name).toBe(true);
  } else if (!Object.is(found, given)) expect(found).toEqual(given);
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

// One for all, as it begins with the schema of schemas; optimised, the code would take longer.
const ajv = new Ajv2020({ strict: false, code: { optimize: false } });

/** Checks the JSON of values against the JSON Schema of their type. */
function jsonCheck(type: StructType<unknown>): (nodes: FieldTree) => void {
  const schema = namedSchema("S", {
    messages: [],
    otherReadings: new Map(),
    types: new Map([["S", type]]),
    sensitive: [],
  });
  const validate = ajv.compile(schema ?? false);
  return (nodes) => {
    const json = fieldJson(nodes, 0);
    validate(JSON.parse(json));
    expect(validate.errors, json).toBe(null);
  };
}

/** Milliseconds that a property may take: the machine may be busy. */
const timeout = 60_000;

describe("any value of any declaration", { timeout }, () => {
  it("is encoded and decoded to itself", () => {
    forAll(250, false, ({ type, value, bytes }) => {
      const nodes = decoded(type, bytes, Extent.Exact);
      expect(nodes.notes.filter(({ severity }) => severity !== "note")).toEqual([]);
      expect(["ok", "unknown"]).toContain(nodes.outcome);
      expectSound(type, nodes);
      expectGiven(value, plainValue(nodes, 0));
      expectSame(hex(encode(type, plainValue(nodes, 0))), hex(bytes));
    });
  });

  it("is awaited, and not accepted before it is complete", () => {
    forAll(100, true, ({ type, bytes, random }) => {
      const all = Buffer.concat([bytes, random.bytes(4)]);
      const window = { bytes: all, view: viewOf(all), start: 0, end: 0 };
      for (let length = 0; length < bytes.length; length += 1 + random.below(3)) {
        expectSame(decoder.decode(type, { ...window, end: length }, Extent.Open), false);
        expectSame(decoder.needed > length, true);
        expectSame(decoder.needed <= bytes.length, true);
      }
      for (const length of [bytes.length, all.length]) {
        expectSame(decoder.decode(type, { ...window, end: length }, Extent.Open), true);
        expectSame(decoder.consumed, bytes.length);
        expect(decoder.nodes.notes.filter(({ severity }) => severity !== "note")).toEqual([]);
      }
    });
  });

  it("is truncated, and nothing worse, if the capture ends too early", () => {
    forAll(60, true, ({ type, bytes, random }) => {
      // At most about a hundred lengths of a long sample.
      const step = Math.max(6, bytes.length >> 6);
      for (let length = 0; length < bytes.length; length += 1 + random.below(step)) {
        const nodes = decoded(type, bytes.subarray(0, length), Extent.Cut);
        expectSame(nodes.outcome, "truncated");
        expect(nodes.notes.filter(({ severity }) => severity !== "note")).toHaveLength(1);
        expectSound(type, nodes);
      }
      expect(["ok", "unknown"]).toContain(decoded(type, bytes, Extent.Cut).outcome);
    });
  });

  it("is malformed if it has to be complete, and is not", () => {
    forAll(100, true, ({ type, bytes, random }) => {
      if (bytes.length > 0) {
        expect(decoded(type, bytes.subarray(0, random.below(bytes.length)), Extent.Exact).outcome).toBe("malformed");
      }
      expect(decoded(type, Buffer.concat([bytes, random.bytes(1)]), Extent.Exact).outcome).toBe("malformed");
    });
  });
});

describe("the JSON Schema of any declaration", { timeout }, () => {
  it("fits its values, whole, cut off, damaged or arbitrary", () => {
    forAll(40, false, ({ type, bytes, random }) => {
      const check = jsonCheck(type);
      const cut = bytes.subarray(0, random.below(bytes.length + 1));
      for (const input of [bytes, cut, random.damaged(bytes), random.bytes(random.below(60))]) {
        for (const extent of [Extent.Exact, Extent.Cut]) check(decoded(type, input, extent));
      }
    });
  });
});

describe("arbitrary bytes for any declaration", { timeout }, () => {
  const extents = [Extent.Exact, Extent.Cut, Extent.Open];

  it("give a sound tree, and always the same one", () => {
    forAll(180, false, ({ type, bytes, random }) => {
      const input = random.chance(2) ? random.bytes(random.below(60)) : random.damaged(bytes);
      for (const extent of extents) {
        const whole = decoder.decode(type, windowOn(input), extent);
        const { needed, consumed } = decoder;
        expectSame(whole || (extent === Extent.Open && needed > input.length), true);
        if (!whole) continue;
        expectSame(consumed <= input.length, true);
        if (extent === Extent.Exact) expectSame(consumed, input.length);
        expectSound(type, decoder.nodes);
        const first = everything(decoder.nodes);
        const other = new Decoder(limits);
        other.decode(type, { bytes: input, view: viewOf(input), start: 0, end: input.length }, extent);
        expect(everything(other.nodes)).toEqual(first);
        expectSame(other.consumed, consumed);
      }
    });
  });
});
