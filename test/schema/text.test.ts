import { isUtf8 as byNode } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isUtf8 } from "../../src/common/is-utf8.js";
import { encode } from "../../src/schema/encode/encode.js";
import { Exact } from "../../src/schema/encode/exact.js";
import { plainValue } from "../../src/schema/encode/value.js";
import { rest, struct, text, u8, utf16 } from "../../src/schema/index.js";
import { hex } from "../../src/schema/tree/leaf.js";
import { u16 } from "../../src/schema/words/little-endian.js";
import { anyText } from "../support/any-text.js";
import { decode, wholeValue, wire } from "./support/decoding.js";

const fixed = struct("S", { text: text(6), behind: u8 });
const fixed16 = struct("S", { text: utf16(6), behind: u8 });
const counted = struct("S", { length: u8, text: text("length"), behind: u8 });
const counted16 = struct("S", { length: u8, text: utf16({ field: "length", times: 2 }), behind: u8 });

/** The text in bytes, and whether the usual writer encodes it to the same bytes. */
function read(type: typeof fixed | typeof counted, digits: string): { text: unknown; usual: boolean } {
  const { nodes, notes } = decode(type, `${digits} 99`);
  expect(notes).toEqual([]);
  const node = nodes.child(0, "text");
  const plain = plainValue(nodes, node);
  const text = nodes.value(node);
  expect(plain).toEqual(plain instanceof Exact ? new Exact(text, new Uint8Array(nodes.bytes(node))) : text);
  return { text, usual: !(plain instanceof Exact) };
}

describe("UTF-8", () => {
  it("is what Node.js takes for it", () => {
    // Where each range of table 3-7 of the Unicode Standard begins and ends.
    const edge = fc.constantFrom(
      ...[0, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef],
      ...[0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff],
    );
    const sequences = fc.array(edge, { maxLength: 5 }).map((bytes) => Uint8Array.from(bytes));
    const texts = anyText().map((text) => new Uint8Array(Buffer.from(text)));
    fc.assert(
      fc.property(fc.oneof(sequences, texts), (bytes) => isUtf8(bytes) === byNode(bytes)),
      {
        numRuns: 5000,
      },
    );
  });
});

describe("text of fixed width", () => {
  it.each([
    ["ends at the first zero", "486900000000", "Hi", true],
    ["fills its field", "4869204869 21", "Hi Hi!", true],
    ["is empty", "000000000000", "", true],
    ["is UTF-8", "c3a9e282ac00", "é€", true],
    ["is Latin-1 if it is not UTF-8", "e97ae9000000", "ézé", false],
    ["is Latin-1 that fills its field", "e9e9e9e9e9e9", "éééééé", false],
    ["has something after the zero", "486900414200", "Hi", false],
    ["is UTF-8 that is cut in the middle of a character", "4869c3a9e282", "HiÃ©â\x82", false],
  ])("%s", (_, digits, expected, usual) => {
    expect(read(fixed, digits)).toEqual({ text: expected, usual });
  });

  it("does not end at a zero in another field", () => {
    expect(wholeValue(struct("S", { text: text(2), behind: u8 }), "4869 00")).toEqual({ text: "Hi", behind: 0 });
    expect(wholeValue(struct("S", { text: utf16(2), behind: u16 }), "4800 0000")).toEqual({ text: "H", behind: 0 });
  });

  it.each([
    ["ends at the first zero", "480069000000", "Hi", true],
    ["fills its field", "480069002100", "Hi!", true],
    ["has characters with zero bytes in them", "000148000000", "ĀH", true],
    ["has a surrogate pair", "3dd8 00de 0000", "😀", true],
    ["has a lone surrogate", "00d8 4100 0000", "\ud800A", true],
    ["has something after the zero", "4800 0000 4200", "H", false],
  ])("of 16-bit characters %s", (_, digits, expected, usual) => {
    expect(read(fixed16, digits)).toEqual({ text: expected, usual });
  });

  it("of 16-bit characters in an odd number of bytes ignores the odd byte", () => {
    expect(wholeValue(struct("S", { text: utf16(3) }), "4800 69")).toEqual({ text: "H" });
    expect(wholeValue(struct("S", { text: utf16(3) }), "0000 69")).toEqual({ text: "" });
  });
});

describe("counted text", () => {
  it.each([
    ["has no terminator", "02 4869", "Hi", true],
    ["has a terminator that was counted", "03 486900", "Hi", false],
    ["has two zeros, one of which ends it", "04 48690000", "Hi\0", false],
    ["has a zero in the middle", "03 480069", "H\0i", true],
    ["is empty", "00", "", true],
    ["is a terminator only", "01 00", "", false],
    ["is UTF-8", "05 c3a9e282ac", "é€", true],
    ["is Latin-1 if it is not UTF-8", "02 e97a", "éz", false],
    ["begins with a byte order mark", "05 efbbbf4869", "\ufeffHi", true],
  ])("%s", (_, digits, expected, usual) => {
    expect(read(counted, digits)).toEqual({ text: expected, usual });
  });

  it.each([
    ["has no terminator", "02 4800 6900", "Hi", true],
    ["has a terminator that was counted", "03 4800 6900 0000", "Hi", false],
    ["is empty", "00", "", true],
    ["ends in a character with a zero byte", "02 4800 0001", "HĀ", true],
  ])("of 16-bit characters %s", (_, digits, expected, usual) => {
    expect(read(counted16, digits)).toEqual({ text: expected, usual });
  });

  it.each([
    ["03 4800 69", "H"],
    ["03 4800 00", "H"],
    ["05 4800 0000 00", "H"],
    ["05 4800 0000 69", "H"],
    ["01 69", ""],
  ])("of 16-bit characters may have an odd number of bytes (%s), which is reported", (digits, text) => {
    const type = struct("S", { length: u8, text: utf16("length"), behind: u8 });
    const { nodes, outcome, value, notes } = decode(type, `${digits} 99`);
    expect({ outcome, value }).toEqual({ outcome: "ok", value: { length: Number(digits[1]), text, behind: 0x99 } });
    expect(notes).toEqual(["text: its last byte is half a UTF-16 unit, and is not in the text"]);
    expect(plainValue(nodes, nodes.child(0, "text"))).toBeInstanceOf(Exact);
  });

  it("may be all remaining bytes", () => {
    const type = struct("S", { first: u8, text: text(rest) });
    expect(wholeValue(type, "01 4869")).toEqual({ first: 1, text: "Hi" });
    expect(wholeValue(type, "01")).toEqual({ first: 1 });
  });

  it("longer than the remaining bytes violates the format", () => {
    expect(decode(counted, "05 4869")).toMatchObject({
      outcome: "malformed",
      value: { length: 5, undissected: "4869" },
      notes: ["undissected: text needs 5 bytes (length says so) at offset 1; 2 are left"],
    });
  });
});

describe("the encoder", () => {
  it("pads text of fixed width", () => {
    expect(hex(encode(fixed, { text: "é", behind: 1 }))).toBe("c3a90000000001");
    expect(hex(encode(fixed16, { text: "é", behind: 1 }))).toBe("e9000000000001");
  });

  it("computes the length of counted text", () => {
    expect(hex(encode<unknown>(counted, { text: "é", behind: 1 }))).toBe("02c3a901");
    expect(hex(encode<unknown>(counted16, { text: "é", behind: 1 }))).toBe("01e90001");
  });

  it("rejects text that its field cannot hold", () => {
    expect(() => encode(fixed, { text: "éééé", behind: 1 })).toThrow("text: holds at most 6 bytes");
    expect(() => encode(fixed, { text: "a\0b", behind: 1 })).toThrow("text: ");
    expect(() => encode(fixed16, { text: "a\0b", behind: 1 })).toThrow("text: ");
    expect(() => encode<unknown>(fixed, { text: 5, behind: 1 })).toThrow("text: needs a string");
    expect(() => encode<unknown>(fixed, { behind: 1 })).toThrow("text: is missing");
  });

  it("writes the exact bytes of a text that has them", () => {
    const exact = new Exact("Hi", wire("486900414200"));
    expect(hex(encode<unknown>(fixed, { text: exact, behind: 1 }))).toBe("48690041420001");
  });
});
