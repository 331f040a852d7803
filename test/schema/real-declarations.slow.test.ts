import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plCreatable, proEventData } from "../../dissectors/moul/creatables.js";
import { auth, csr, file, game, gatekeeper } from "../../dissectors/moul/messages/index.js";
import { defaultLimits } from "../../src/limits.js";
import { fieldJson } from "../../src/output/json/field-json.js";
import { Decoder } from "../../src/schema/decode/decode.js";
import { Extent } from "../../src/schema/decode/window.js";
import { encode } from "../../src/schema/encode/encode.js";
import { polymorphic, StructType, type Type } from "../../src/schema/index.js";
import { viewOf } from "../../src/schema/language/byte-source.js";
import type { Field } from "../../src/schema/language/field.js";
import { Opcode } from "../../src/schema/language/opcode.js";
import { Random } from "../support/random.js";
import { expectSame } from "../support/same.js";
import { expectSound, notesOf, windowOn } from "./support/decoding.js";
import { randomValue } from "./support/random-value.js";

const limits = { ...defaultLimits, depth: 32, nodes: 5000, inflated: 50_000 };
const decoder = new Decoder(limits);
const extents = [Extent.Exact, Extent.Cut, Extent.Open];

const messages = [auth, csr, file, game, gatekeeper].flatMap(({ c2s, s2c }) => [...c2s.messages(), ...s2c.messages()]);
const classes = [...plCreatable.classes(), ...proEventData.classes()].map((struct) => new StructType<unknown>(struct));
const everything: readonly (readonly [string, Type<unknown>])[] = [
  ["plCreatable", polymorphic(plCreatable)],
  ["proEventData", polymorphic(proEventData)],
  ...[...messages, ...classes].map((type) => [type.struct.name, type] as const),
];

/** Checks random bytes, always the same ones. */
function forAll(numRuns: number, check: (random: Random) => void): void {
  const property = fc.property(fc.nat(), (seed) => check(new Random(seed)));
  fc.assert(property, { seed: 20_240_301, numRuns });
}

/** True if a field extends over all remaining bytes, whatever they belong to. */
function isEndless(field: Field): boolean {
  switch (field.opcode) {
    case Opcode.Bytes:
    case Opcode.Text:
      return field.takesRest;
    case Opcode.Array:
      return field.length.isRest || (field.inner !== undefined && isEndless(field.inner));
    case Opcode.Struct:
      return field.struct?.fields.some(isEndless) ?? false;
    case Opcode.Polymorphic:
      return [...(field.family?.classes() ?? [])].some(({ fields }) => fields.some(isEndless));
    case Opcode.Choice:
      return field.alternatives.some(isEndless);
    case Opcode.Tuple:
      return field.elements.some(isEndless);
    case Opcode.Resolved:
      return true;
    default:
      return false;
  }
}

describe.each(everything)("%s", (_, type) => {
  it("gives a sound tree for any bytes, and always the same one", () => {
    forAll(4, (random) => {
      const sound = encode(type, randomValue(type, random));
      for (const input of [random.bytes(random.below(80)), sound, random.damaged(sound), random.damaged(sound)]) {
        for (const extent of extents) {
          if (!decoder.decode(type, windowOn(input), extent)) {
            expectSame(decoder.needed > input.length, true);
            continue;
          }
          expectSound(type, decoder.nodes);
          const first = [fieldJson(decoder.nodes, 0), ...notesOf(decoder.nodes)];
          decoder.decode(type, { bytes: input, view: viewOf(input), start: 0, end: input.length }, extent);
          expect([fieldJson(decoder.nodes, 0), ...notesOf(decoder.nodes)]).toEqual(first);
        }
      }
    });
  });
});

describe("the classes", () => {
  it.each(classes.map((type) => [type.struct.name, type] as const))(
    "%s takes all of its own values for well-formed",
    (_, type) => {
      forAll(20, (random) => {
        const bytes = encode(type, randomValue(type, random));
        expectSame(decoder.decode(type, windowOn(bytes), Extent.Exact), true);
        expect(["ok", "unknown"], notesOf(decoder.nodes).join("; ")).toContain(decoder.nodes.outcome);
      });
    },
  );
});

describe("the messages", () => {
  it.each(messages.map((type) => [type.struct.name, type] as const))("%s determines its own end", (_, type) => {
    expect(type.struct.fields.filter(isEndless).map(({ name }) => name)).toEqual([]);
  });

  it.each(messages.map((type) => [type.struct.name, type] as const))("%s waits for missing bytes", (_, type) => {
    forAll(3, (random) => {
      const sound = encode(type, randomValue(type, random, 1));
      const bytes = Buffer.concat([sound, random.bytes(8)]);
      const window = { bytes, view: viewOf(bytes), start: 0, end: 0 };
      for (let length = 0; length < sound.length; length += 1 + random.below(20)) {
        expectSame(decoder.decode(type, { ...window, end: length }, Extent.Open), false);
        expectSame(decoder.needed > length, true);
        expectSame(decoder.needed <= sound.length, true);
      }
      for (const end of [sound.length, bytes.length]) {
        expectSame(decoder.decode(type, { ...window, end }, Extent.Open), true);
        expectSame(decoder.consumed, sound.length);
      }
    });
  });
});
