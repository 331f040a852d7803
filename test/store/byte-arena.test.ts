import { expect, it } from "vitest";
import { ByteArena } from "../../src/store/byte-arena.js";

const NONE = new Uint8Array(0);
const MEBIBYTE = 1024 * 1024;

it("has a place for no bytes at all, also first of all and behind a full block", () => {
  const arena = new ByteArena();
  for (const length of [0, MEBIBYTE, 0, MEBIBYTE - 1, 1, 0, MEBIBYTE + 1, 0, 0]) {
    const { bytes, start } = arena.at(arena.add(new Uint8Array(length).fill(7), 0, length, NONE));
    expect(bytes.subarray(start, start + length).every((byte) => byte === 7)).toBe(true);
    expect(bytes.length - start).toBeGreaterThanOrEqual(length);
  }
});

it("keeps what is put behind the bytes in the same block", () => {
  const arena = new ByteArena();
  arena.add(new Uint8Array(MEBIBYTE - 2), 0, MEBIBYTE - 2, NONE);
  const { bytes, start } = arena.at(arena.add(Uint8Array.of(9, 1, 2, 9), 1, 3, Uint8Array.of(3, 4)));
  expect([...bytes.subarray(start, start + 4)]).toEqual([1, 2, 3, 4]);
});
