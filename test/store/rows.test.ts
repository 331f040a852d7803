import { expect, it } from "vitest";
import { Rows } from "../../src/store/rows.js";
import { expectSame } from "../support/same.js";

it("rows keep numbers of 32 bits, and the few that are larger, negative or not whole", () => {
  const rows = new Rows(2, 1);
  const numbers = [0, 1, 0xfffffffe, 0xffffffff, 2 ** 40, -1, 0.5, Number.MAX_SAFE_INTEGER, 7];
  // In more than one block.
  for (let row = 0; row < 20_000; row++) {
    expectSame(rows.add(), row);
    rows.set(row, 0, row);
    rows.setAny(row, 1, numbers[row % numbers.length] ?? 0);
    rows.setDouble(row, 0, row / 2);
  }
  const wrong = Array.from({ length: rows.count }, (_, row) => row).filter(
    (row) =>
      rows.get(row, 0) !== row ||
      rows.getAny(row, 1) !== numbers[row % numbers.length] ||
      rows.getDouble(row, 0) !== row / 2,
  );
  expect(wrong).toEqual([]);
});
