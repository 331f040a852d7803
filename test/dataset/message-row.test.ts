import { describe, expect, it } from "vitest";
import { Memory } from "../../src/dataset/columns/growing.js";
import { NumberValues } from "../../src/dataset/columns/number-values.js";
import { epochOf } from "../../src/dataset/message-row.js";

/** The bytes of a time in a column, alone and among those of other rows. */
function written(seconds: number, nanoseconds: number): bigint[] {
  const epoch = epochOf({ frame: 1, seconds, nanoseconds });
  const alone = new NumberValues("int64", new Memory(), true);
  alone.add(epoch);
  const inRows = new NumberValues("int64", new Memory(), true);
  const numbers = new Float64Array(4);
  expect(inRows.put(epoch, numbers, 2)).toBe(true);
  inRows.addColumn({ numbers, levels: Uint8Array.of(0, 0, 1, 0), first: 2, stride: 4, count: 1, level: 1 });
  return [alone, inRows].map((values) => {
    const { buffer, byteOffset } = values.encoded().bytes;
    return new DataView(buffer, byteOffset).getBigInt64(0, true);
  });
}

describe("the exact time of a message", () => {
  it.each([
    [0, 0],
    [0, 999_999_999],
    [1, 294_967_296],
    [4, 294_967_295],
    [4, 294_967_296],
    [1_763_596_800, 123_456_789],
    [2 ** 31, 1],
    [2 ** 32 - 1, 999_999_999],
    [2 ** 32, 999_999_999],
    [9_223_372_035, 854_775_807],
    [-1, 5],
  ])("is %i s and %i ns", (seconds, nanoseconds) => {
    const exact = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
    expect(written(seconds, nanoseconds)).toEqual([exact, exact]);
  });
});
