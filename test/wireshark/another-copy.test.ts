import { expect, it } from "vitest";
import type { Dissector } from "../../src/index.js";
import * as language from "../../src/schema/index.js";
import { wiresharkPlugin } from "../../src/wireshark/index.js";
import * as copy from "../support/another-copy.js";
import { toyDissector } from "../support/toy.js";

/** A dissector whose messages are declared with a copy of the schema language. */
function declaredWith({ array, struct, text, u8 }: typeof language): Dissector {
  const Word = struct("Word", { length: u8, type: u8, flags: u8, word: text("length"), marks: array(u8, "flags") });
  return {
    ...toyDissector(),
    types: new Map([["Word", Word]]),
    wireshark: {
      length: { at: 0, kind: "u8", plus: 1 },
      type: { at: 1, kind: "u8" },
      messages: { c2s: { 1: Word }, s2c: {} },
    },
  };
}

it("makes the same plugin of what is declared with another copy of the schema language", () => {
  expect(copy.StructType).not.toBe(language.StructType);
  const plugin = wiresharkPlugin("test", { loaded: [declaredWith(copy)] });
  expect(plugin).toContain('"Word"');
  expect(plugin).toBe(wiresharkPlugin("test", { loaded: [declaredWith(language)] }));
});
