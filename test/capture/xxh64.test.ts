import { expect, test } from "vitest";
import { Xxh64 } from "../../src/capture/compression/xxh64.js";

/** Lengths of the data below, and the lower half of their checksums according to xxHash's own library. */
const SUMS: readonly (readonly [length: number, sum: number])[] = [
  [0, 0x51d8e999],
  [1, 0xdb052768],
  [3, 0x5a6209ab],
  [4, 0x0a55ac41],
  [7, 0x6f3da63e],
  [8, 0x65b924eb],
  [12, 0xb52b9482],
  [31, 0xc4912b21],
  [32, 0xbca0263c],
  [33, 0x7b5408af],
  [63, 0xb5cbee19],
  [64, 0x5b260ea6],
  [100, 0xd743d033],
  [1000, 0xcc28352a],
];

test("the checksum of Zstandard frames is that of xxHash, however the data comes in pieces", () => {
  for (const [length, sum] of SUMS) {
    const data = Uint8Array.from({ length }, (_, index) => index * 7 + (index >> 3));
    for (const step of [1, 5, 32, 37, 1000]) {
      const checksum = new Xxh64();
      for (let at = 0; at < length; at += step) checksum.update(data.subarray(at, at + step));
      expect(checksum.digest(), `${length} bytes, ${step} at a time`).toBe(sum);
    }
  }
});
