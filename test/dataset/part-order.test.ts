import { describe, expect, it } from "vitest";
import { PartOrder } from "../../src/cli/dataset/parts.js";
import type { RowGroup } from "../../src/cli/dataset/row-group.js";

const group = (table: string): RowGroup => ({ table, rows: 1, bytes: new Uint8Array(), chunks: [] });

/** An order of parts, and the groups that it has written so far. */
function ordered(): { order: PartOrder; written: string[] } {
  const written: string[] = [];
  return { order: new PartOrder(({ table }) => written.push(table)), written };
}

describe("groups of rows", () => {
  it("of the first part are written at once, those of later ones when their turn comes", () => {
    const { order, written } = ordered();
    const [first, second, third] = [order.begin(), order.begin(), order.begin()];
    order.came(second, group("2a"));
    order.came(first, group("1a"));
    order.came(third, group("3a"));
    expect(written).toEqual(["1a"]);
    order.ended(third);
    order.came(first, group("1b"));
    expect([written, order.count]).toEqual([["1a", "1b"], 3]);
    order.ended(first);
    expect([written, order.count]).toEqual([["1a", "1b", "2a"], 2]);
    order.came(second, group("2b"));
    order.ended(second);
    expect([written, order.count]).toEqual([["1a", "1b", "2a", "2b", "3a"], 0]);
  });
});
