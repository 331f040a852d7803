import { expect, it } from "vitest";
import { coded, Family, polymorphic, type StructType, struct, text, u8 } from "../../src/schema/index.js";
import { asciiText } from "../schema/support/codecs.js";
import { linesOf, type Said, Talks } from "../support/talk.js";
import { toyDissector } from "../support/toy.js";

const digit = coded("digit", {
  isWholeNumber: true,
  measure: (_, start, limit) => (start < limit ? 1 : -1),
  read: (bytes, start) => (bytes[start] ?? 0) - 0x30,
  problem: (bytes, start) => (/\d/.test(String.fromCharCode(bytes[start] ?? 0)) ? undefined : "is not a digit"),
  write: (value) => Uint8Array.of(value + 0x30),
});

function linesFrom(type: StructType<unknown>, segments: readonly string[]): string[] {
  const talks = new Talks([toyDissector({ next: () => ({ step: "message", type }) })]);
  const said = segments.map((segment): Said => ["c", Buffer.from(segment, "latin1")]);
  return linesOf(talks.tcp(["192.0.2.2", 1000], said).end());
}

it.each([[["2Hix2Ho"]], [["2Hix", "2Ho"]], [["2Hi", "x", "2Ho"]]])(
  "after a length or a tag that is none, nobody knows where the next message begins, however it arrives: %s",
  (segments) => {
    const family = new Family("family", "tag", digit);
    family.register(struct("Two", { words: text(2) }, { tag: 2 }));
    const Words = struct("Words", { length: digit, words: text("length") });
    for (const type of [Words, struct("Words", { words: polymorphic(family) })]) {
      const [first, second, ...others] = linesFrom(type, segments);
      expect([first, second]).toEqual(["toy.words c2s Words ok", "toy.words c2s Words malformed"]);
      expect(others).not.toContain("toy.words c2s Words ok");
    }
  },
);

it.each([[["\x02H\xe9\x05\x01a\x05"]], [["\x02H\xe9\x05", "\x01a\x05"]]])(
  "after a broken leaf on which nothing depends, the next message is found: %j",
  (segments) => {
    const Named = struct("Named", { name: asciiText, kind: u8 });
    expect(linesFrom(Named, segments)).toEqual(["toy.words c2s Named malformed", "toy.words c2s Named ok"]);
  },
);
