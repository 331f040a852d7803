import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SafeString } from "../../dissectors/moul/common/values/SafeString.js";
import { safeWString } from "../../dissectors/moul/common/values/SafeWString.js";
import { prefixed, terminated, text, utf16 } from "../../src/schema/index.js";
import type { CopyAscii } from "../../src/schema/language/codec.js";
import { Opcode } from "../../src/schema/language/opcode.js";
import { copierOf } from "../../src/schema/tree/copy-text.js";
import { readFixedText, readFixedUtf16, readText, readUtf16 } from "../../src/schema/tree/text.js";
import { u16 } from "../../src/schema/words/little-endian.js";
import { anyText } from "../support/any-text.js";
import { varint } from "./support/codecs.js";

type Read = (bytes: Uint8Array, start: number, end: number) => unknown;

/** Bytes among which zeros, ASCII and others are about as frequent, in pairs as UTF-16 has them. */
const units = fc.oneof(
  fc.constant([0, 0]),
  fc.tuple(fc.integer({ min: 0, max: 0x7f }), fc.constant(0)),
  fc.tuple(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x7f })),
  fc.tuple(fc.nat(255), fc.nat(255)),
);
const texts = fc.tuple(fc.array(units, { maxLength: 12 }), fc.constantFrom(0, 1), fc.nat(3));

/** Checks that what is copied, if anything, is what is read, and that everything is copied that is ASCII. */
function expectAlike(copy: CopyAscii | undefined, read: Read, bytes: Uint8Array, start: number, end: number): void {
  const target = new Uint8Array(3 + end - start);
  const length = copy?.(bytes, start, end, target, 3);
  const text = String(read(bytes, start, end));
  const isAscii = /^[\0-\x7f]*$/.test(text);
  const copied = Buffer.from(target.subarray(3, 3 + text.length)).toString("latin1");
  // Tens of thousands of expectations would take longer than what they are about.
  if (length !== (isAscii ? text.length : -1) || (isAscii && copied !== text)) {
    throw new Error(`of ${JSON.stringify(text)}, ${length} characters are copied: ${JSON.stringify(copied)}`);
  }
}

describe("the copy of a text that is ASCII is what would be read", () => {
  it.each([
    ["fixed width", Opcode.FixedText, "utf8", readFixedText],
    ["counted", Opcode.Text, "utf8", readText],
    ["fixed width, UTF-16", Opcode.FixedText, "utf16le", readFixedUtf16],
    ["counted, UTF-16", Opcode.Text, "utf16le", readUtf16],
  ] as const)("%s", (_, opcode, encoding, read) => {
    fc.assert(
      fc.property(texts, ([pairs, odd, before]) => {
        const bytes = Uint8Array.from([...Array(before).fill(65), ...pairs.flat(), ...Array(odd).fill(66)]);
        expectAlike(copierOf({ opcode, encoding, codec: undefined }), read, bytes, before, bytes.length);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ["SafeString", SafeString.descriptor.codec],
    ["SafeWString", safeWString({ followedBy: 0 }).descriptor.codec],
    ["prefixed text", prefixed(u16, text).descriptor.codec],
    ["prefixed text with a zero", prefixed(u16, text, { endsWithZero: true }).descriptor.codec],
    ["prefixed UTF-16", prefixed(u16, utf16).descriptor.codec],
    ["prefixed UTF-16 with a zero", prefixed(varint, utf16, { endsWithZero: true }).descriptor.codec],
    ["terminated text", terminated(text).descriptor.codec],
    ["terminated UTF-16", terminated(utf16).descriptor.codec],
  ] as const)("%s", (name, codec) => {
    const letters = fc.oneof(fc.string({ unit: "grapheme-ascii" }), anyText());
    fc.assert(
      fc.property(letters, (text) => {
        const bytes =
          codec?.write(name.startsWith("terminated") ? text.replaceAll("\0", "") : text) ?? new Uint8Array(0);
        expectAlike(codec?.copyAscii, (all, start, end) => codec?.read(all, start, end), bytes, 0, bytes.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("nothing else is copied", () => {
    expect(copierOf({ opcode: Opcode.Bytes, encoding: "utf8", codec: undefined })).toBeUndefined();
  });
});
