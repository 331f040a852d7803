import { describe, expect, it } from "vitest";
import { textForms } from "../../dissectors/moul/text-forms.js";
import { compileFilter } from "../../src/filter/index.js";
import { TextSearch } from "../../src/find/search.js";
import { bytes, prefixed, reference, struct, text, u8 } from "../../src/schema/index.js";
import { u16, u32 } from "../../src/schema/words/little-endian.js";
import { messageOf, stretch, vocabularyOf } from "../filter/support/messages.js";

const type = struct("Letter", {
  to: reference(u32, "player"),
  size: u8,
  text: prefixed(u16, text),
  rest: bytes({ field: "size" }),
});

/** A letter to player 7 that says "Shorah", and some bytes. */
function letter(rest: Buffer) {
  const hex = `07000000 ${rest.length.toString(16).padStart(2, "0")} 0600 ${Buffer.from("Shorah").toString("hex")}`;
  const names = { get: (kind: string, id: string) => (kind === "player" && id === "7" ? "Böb" : undefined) };
  return messageOf(type, `${hex} ${rest.toString("hex")}`, {}, { names });
}

function hits(text: string, rest = Buffer.alloc(0)) {
  return new TextSearch(text, textForms).hitsIn(letter(rest));
}

describe("a text is found", () => {
  it("in the name of the message", () => {
    expect(hits("LETT")).toMatchObject([{ place: "name", path: "", text: "Letter", at: 0, length: 4 }]);
    expect(new TextSearch("gap", []).hitsIn(stretch("gap"))).toMatchObject([{ place: "name", text: "gap" }]);
  });

  it("in a value, in capital or small letters, once", () => {
    expect(hits("orAH")).toEqual([{ place: "value", path: "text", text: "Shorah", at: 2, length: 4 }]);
    // As it is: not again among the bytes.
    expect(hits("Shorah")).toHaveLength(1);
  });

  it("in what a number stands for; a number has to be the whole value", () => {
    expect(hits("böb")).toEqual([{ place: "value", path: "to", text: "7 (Böb)", at: 3, length: 3 }]);
    expect(hits("7")).toMatchObject([{ path: "to", text: "7" }]);
  });

  it.each([
    ["UTF-8", "utf8"],
    ["UTF-16LE", "utf16le"],
    ["Latin-1", "latin1"],
  ] as const)("in bytes, in %s", (form, encoding) => {
    const rest = Buffer.concat([Buffer.from([1, 2]), Buffer.from("Grüße", encoding)]);
    expect(hits("Grüße", rest)).toMatchObject([
      { place: "bytes", path: "rest", bytes: { form, source: 0, offset: 15 } },
    ]);
  });

  it("in bytes, in UTF-16BE, and inverted, as MOUL has its texts", () => {
    expect(hits("tree", Buffer.from("tree", "utf16le").swap16())).toMatchObject([{ bytes: { form: "UTF-16BE" } }]);
    const inverted = Buffer.from(Buffer.from("tree").map((byte) => ~byte));
    expect(hits("tree", inverted)).toMatchObject([{ bytes: { form: "SafeString", offset: 13 } }]);
  });

  it("as the bytes that its hexadecimal digits stand for, with those around them", () => {
    const rest = Buffer.from("00112233445566778899aabbccddeeff", "hex");
    for (const text of ["88:99:aa", "0x8899aa"]) {
      expect(hits(text, rest)).toMatchObject([
        {
          path: "rest",
          text: "00112233445566778899aabbccddeeff".slice(0, 38),
          at: 16,
          length: 6,
          bytes: { form: "hex" },
        },
      ]);
    }
    // A word that happens to consist of such digits is a word.
    expect(hits("beef", Buffer.from([0xbe, 0xef]))).toEqual([]);
  });

  it("nowhere, if it is too short to look for in bytes", () => {
    expect(hits("z", Buffer.from("zzz"))).toEqual([]);
  });
});

describe("frame contains", () => {
  const vocabulary = vocabularyOf(type);
  const passes = (text: string, rest: Buffer) => compileFilter(text, vocabulary)(letter(rest));

  it.each([
    ['frame contains "Shorah"', true],
    ["frame contains 53:68:6f", true],
    ["frame contains 0x5368", true],
    ["not frame contains 53:68:6f", false],
    ['frame contains "shorah"', false],
    ['frame contains "ab"', true],
    ["frame == 12", true],
  ])("%s", (text, expected) => {
    expect(passes(text, Buffer.from("ab", "utf16le"))).toBe(expected);
  });

  it("needs bytes or a text", () => {
    expect(() => passes("frame contains text", Buffer.alloc(0))).toThrow("a frame contains bytes (1f:8b) or a text");
  });
});
