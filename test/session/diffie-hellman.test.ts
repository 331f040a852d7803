import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  fromBigEndian,
  fromLittleEndian,
  modularPower,
  toBigEndian,
  toLittleEndian,
} from "../../src/dissector/diffie-hellman.js";

describe("modularPower", () => {
  it("agrees with repeated multiplication", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 1000n), fc.integer({ min: 0, max: 60 }), fc.bigInt(1n, 1000n), (base, exponent, n) => {
        let expected = 1n % n;
        for (let i = 0; i < exponent; i++) expected = (expected * base) % n;
        expect(modularPower(base, BigInt(exponent), n)).toBe(expected);
      }),
    );
  });

  it("lets two sides agree on a secret, whatever the size of their private values", () => {
    const number = fc.bigInt(2n, 2n ** 512n - 1n);
    fc.assert(
      fc.property(number, number, number, number, (g, a, b, n) => {
        expect(modularPower(modularPower(g, b, n), a, n)).toBe(modularPower(modularPower(g, a, n), b, n));
      }),
      { numRuns: 20 },
    );
  });

  it("obeys Fermat's little theorem for a 521-bit prime", () => {
    const prime = 2n ** 521n - 1n;
    expect(modularPower(41n, prime - 1n, prime)).toBe(1n);
  });

  it("accepts negative bases and a modulus of 1, but no impossible values", () => {
    expect(modularPower(-2n, 3n, 7n)).toBe(6n);
    expect(modularPower(5n, 0n, 1n)).toBe(0n);
    expect(() => modularPower(2n, 3n, 0n)).toThrow(RangeError);
    expect(() => modularPower(2n, -1n, 7n)).toThrow(RangeError);
  });
});

describe("bytes and numbers", () => {
  it("reads both byte orders", () => {
    expect(fromBigEndian(Uint8Array.of(1, 2, 3))).toBe(0x010203n);
    expect(fromLittleEndian(Uint8Array.of(1, 2, 3))).toBe(0x030201n);
    expect(fromBigEndian(new Uint8Array(0))).toBe(0n);
    expect(fromLittleEndian(new Uint8Array(0))).toBe(0n);
  });

  it("reads only the part covered by a view, and leaves it unchanged", () => {
    const bytes = Uint8Array.of(9, 1, 2, 3, 9).subarray(1, 4);
    expect(fromBigEndian(bytes)).toBe(0x010203n);
    expect(fromLittleEndian(bytes)).toBe(0x030201n);
    expect(bytes).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("writes what it reads", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        expect(toBigEndian(fromBigEndian(bytes), bytes.length)).toEqual(bytes);
        expect(toLittleEndian(fromLittleEndian(bytes), bytes.length)).toEqual(bytes);
      }),
    );
  });

  it("pads short numbers with zero bytes and rejects long ones", () => {
    expect(toBigEndian(0x102n, 4)).toEqual(Uint8Array.of(0, 0, 1, 2));
    expect(toLittleEndian(0x102n, 4)).toEqual(Uint8Array.of(2, 1, 0, 0));
    expect(toBigEndian(0n, 0)).toEqual(new Uint8Array(0));
    expect(() => toBigEndian(0x100n, 1)).toThrow(RangeError);
    expect(() => toLittleEndian(-1n, 8)).toThrow(RangeError);
  });
});
