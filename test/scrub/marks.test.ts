import { expect, it } from "vitest";
import { moul } from "../../dissectors/moul/index.js";
import { type StructType, struct, text } from "../../src/schema/index.js";
import { marksSecrets } from "../../src/scrub/marks.js";

const Plain = struct("Plain", { word: text(4) });
const Unknown = struct("Unknown", { word: text(4).sensitive("unknown") });
const Marked = struct("Marked", { word: text(4).sensitive("chat") });

it("a dissector says what is secret if it does of any type, or of any message in either direction", () => {
  const marks = (...[types, c2s, s2c]: (readonly StructType<unknown>[])[]) =>
    marksSecrets({
      ...moul,
      types: new Map(types?.map((type, index) => [`${index}`, type])),
      messages: new Map([["parley", { c2s: c2s ?? [], s2c: s2c ?? [] }]]),
    });
  expect(marks([Plain, Marked])).toBe(true);
  expect(marks([], [Marked], [Plain])).toBe(true);
  expect(marks([], [Plain], [Marked])).toBe(true);
  expect(marks([Plain, Unknown], [Plain], [Unknown])).toBe(false);
});
