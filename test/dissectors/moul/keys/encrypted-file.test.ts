import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decryptions, encryptionOf } from "../../../../dissectors/moul/keys/encrypted-file.js";
import { DEFAULT_KEY, encryptedFile, xtea, xxtea } from "./encryption.js";

const MAGICS = ["notthedroids", "whatdoyousee", "BriceIsSmart"];

/** Four words written as numbers, as in a configuration. */
const DROID = Buffer.from("31415926535897932384626433832795", "hex");
const DROID_WORDS = [0x31415926n, 0x53589793n, 0x23846264n, 0x33832795n];

function words(hex: string, littleEndian: boolean): bigint[] {
  const bytes = Buffer.from(hex, "hex");
  return Array.from({ length: bytes.length / 4 }, (_, index) =>
    BigInt(littleEndian ? bytes.readUInt32LE(4 * index) : bytes.readUInt32BE(4 * index)),
  );
}

function contents(file: Uint8Array, ...keys: Uint8Array[]): string[] {
  return [...decryptions(file, keys)].map((bytes) => Buffer.from(bytes).toString("latin1"));
}

describe("the encryption used by the tests", () => {
  it.each([
    ["00000000000000000000000000000000", "0000000000000000", "ab043705808c5d57"],
    ["0102040810204080fffefcf8f0e0c080", "0000000000000000", "d1e78be2c746728a"],
    ["9e3779b99b9773e9b979379e6b695156", "ffffffffffffffff", "67ed0ea8e8973fc5"],
    ["0102040810204080fffefcf8f0e0c080", "fffefcf8f0e0c080", "8c3707c01c7fccc4"],
  ])("gives the known answer of XXTEA for key %s and %s", (key, plain, encrypted) => {
    expect(xxtea(words(plain, true), words(key, true))).toEqual(words(encrypted, true));
  });

  it.each([
    ["000102030405060708090a0b0c0d0e0f", "4142434445464748", "497df3d072612cb5"],
    ["00000000000000000000000000000000", "0000000000000000", "dee9d4d8f7131ed9"],
  ])("gives the known answer of XTEA for key %s and %s", (key, plain, encrypted) => {
    expect(xtea(words(plain, false), words(key, false))).toEqual(words(encrypted, false));
  });
});

describe.each(MAGICS)("%s", (magic) => {
  it("is recognised", () => {
    expect(encryptionOf(encryptedFile(magic, "x"))).toBe(magic);
    expect(encryptionOf(Buffer.from(magic.slice(0, 11)))).toBeUndefined();
    expect(encryptionOf(Buffer.from("STATEDESC Age {"))).toBeUndefined();
  });

  it("is decrypted with the default key", () => {
    expect(contents(encryptedFile(magic, "nothing was given"))).toEqual(["nothing was given"]);
  });

  it("is decrypted with a given key, before the default one", () => {
    const [first, ...others] = contents(encryptedFile(magic, "a key was given", DROID_WORDS), DROID);
    expect(first).toBe("a key was given");
    expect(others).not.toContain(first);
  });

  it("is decrypted with a key whose words have the opposite byte order", () => {
    const turned = Buffer.from(DROID).swap32();
    expect(contents(encryptedFile(magic, "a key was given", DROID_WORDS), turned)).toContain("a key was given");
  });

  it("is decrypted with any of several keys, including the default one", () => {
    const other = Buffer.alloc(16, 7);
    expect(contents(encryptedFile(magic, "one of them", DROID_WORDS), other, DROID)).toContain("one of them");
    expect(contents(encryptedFile(magic, "none of them", DEFAULT_KEY), other, DROID)).toContain("none of them");
  });

  it("has as much content as its header says", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (content) => {
        expect([...decryptions(encryptedFile(magic, content), [])].map((bytes) => [...bytes])).toEqual([[...content]]);
      }),
    );
  });

  it("may be cut, which loses what follows the cut", () => {
    const file = encryptedFile(magic, "0123456789abcdef0123");
    expect(contents(file.subarray(0, 16 + 15))).toEqual(["01234567"]);
    expect(contents(file.subarray(0, 16))).toEqual([""]);
    expect(contents(file.subarray(0, 15))).toEqual([]);
  });
});
