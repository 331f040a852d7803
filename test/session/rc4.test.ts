import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rc4 } from "../../src/dissector/rc4.js";

/** Key stream excerpts of RFC 6229, section 2: key, then 16 bytes at each offset. */
const vectors: readonly [string, Readonly<Record<number, string>>][] = [
  [
    "0102030405",
    {
      0: "b2396305f03dc027ccc3524a0a1118a8",
      16: "6982944f18fc82d589c403a47a0d0919",
      240: "28cb1132c96ce286421dcaadb8b69eae",
      256: "1cfcf62b03eddb641d77dfcf7f8d8c93",
      1008: "45129048e6a0ed0b56b490338f078da5",
      4096: "ff25b58995996707e51fbdf08b34d875",
    },
  ],
  [
    "01020304050607",
    {
      0: "293f02d47f37c9b633f2af5285feb46b",
      16: "e620f1390d19bd84e2e0fd752031afc1",
      240: "914f02531c9218810df60f67e338154c",
      256: "d0fdb583073ce85ab83917740ec011d5",
      1008: "f3b9a7e3b297bf9ad804512f9063eff1",
      4096: "e74b0b9731227fd37c0ec08a47ddd8b8",
    },
  ],
  [
    "1910833222772a",
    {
      0: "bc9222dbd3274d8fc66d14ccbda6690b",
      16: "7ae627410c9a2be693df5bb7485a63e3",
      2032: "2a3a307ab2708a9c00fe0b42f9c2d6a1",
      4096: "027881fab4993a1c262024a94fff3f61",
    },
  ],
  [
    "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
    {
      0: "eaa6bd25880bf93d3f5d1e4ca2611d91",
      240: "114ae344ded71b35f2e60febad727fd8",
      4096: "f3e4c0a2e02d1d01f7f0a74618af2b48",
    },
  ],
];

const key = Uint8Array.of(1, 2, 3, 4, 5, 6, 7);

function keyStream(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new Rc4(key).apply(bytes);
  return bytes;
}

describe("Rc4", () => {
  it.each(vectors)("gives the key stream of RFC 6229 for the key %s", (hexKey, excerpts) => {
    const bytes = new Uint8Array(4112);
    new Rc4(Buffer.from(hexKey, "hex")).apply(bytes);
    for (const [offset, excerpt] of Object.entries(excerpts)) {
      const start = Number(offset);
      expect(Buffer.from(bytes.subarray(start, start + 16)).toString("hex")).toBe(excerpt);
    }
  });

  it.each(vectors)("skips to the same places for the key %s", (hexKey, excerpts) => {
    for (const [offset, excerpt] of Object.entries(excerpts)) {
      const rc4 = new Rc4(Buffer.from(hexKey, "hex"));
      rc4.advance(Number(offset));
      const bytes = new Uint8Array(16);
      rc4.apply(bytes);
      expect(Buffer.from(bytes).toString("hex")).toBe(excerpt);
    }
  });

  it("undoes itself", () => {
    const bytes = Buffer.from("Shorah");
    new Rc4(key).apply(bytes);
    expect(bytes.toString()).not.toBe("Shorah");
    new Rc4(key).apply(bytes);
    expect(bytes.toString()).toBe("Shorah");
  });

  it("gives the same stream in pieces and over gaps of any size", () => {
    const expected = keyStream(2000);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(300)), { maxLength: 6 }), (pieces) => {
        const rc4 = new Rc4(key);
        let position = 0;
        for (const [gap, length] of pieces) {
          if (gap) {
            rc4.advance(length);
          } else {
            const bytes = new Uint8Array(length);
            rc4.apply(bytes);
            expect(bytes).toEqual(expected.subarray(position, position + length));
          }
          position += length;
        }
      }),
    );
  });

  it("touches only the range that it is given", () => {
    const bytes = new Uint8Array(12);
    const rc4 = new Rc4(key);
    rc4.apply(bytes, 4, 8);
    expect(bytes.subarray(0, 4)).toEqual(new Uint8Array(4));
    expect(bytes.subarray(4, 8)).toEqual(keyStream(4));
    expect(bytes.subarray(8)).toEqual(new Uint8Array(4));
    rc4.apply(bytes, 8);
    expect(bytes.subarray(8)).toEqual(keyStream(8).subarray(4));
  });

  it("is independent of other ciphers, which share its memory", () => {
    const ciphers = Array.from({ length: 40 }, () => new Rc4(key));
    for (const cipher of ciphers) cipher.advance(1000);
    const after = keyStream(1010).subarray(1000);
    for (const cipher of ciphers) {
      const bytes = new Uint8Array(10);
      cipher.apply(bytes);
      expect(bytes).toEqual(after);
    }
  });

  it("can be restarted with a key", () => {
    const rc4 = new Rc4(Uint8Array.of(1, 2, 3));
    rc4.advance(77);
    rc4.restart(key);
    const bytes = new Uint8Array(300);
    rc4.apply(bytes);
    expect(bytes).toEqual(keyStream(300));
  });

  it("rejects keys that are empty or too long", () => {
    expect(() => new Rc4(new Uint8Array(0))).toThrow(RangeError);
    expect(() => new Rc4(new Uint8Array(257))).toThrow(RangeError);
  });
});
