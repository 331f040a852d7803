import { expect, it } from "vitest";
import { summaryText } from "../../src/output/summary-text.js";
import { array, struct, u8 } from "../../src/schema/index.js";
import { decodeWhole } from "../support/check.js";

it("the last of the facts that fit a summary has the same name as if others followed", () => {
  const flag = struct("Flag", { number: u8.inSummary(), owner: u8.inSummary(), state: u8.inSummary() });
  const update = struct("Update", { count: u8, flags: array(flag, "count") });
  const nodes = decodeWhole(update, Uint8Array.of(3, 0, 1, 2, 10, 11, 12, 20, 21, 22));
  expect(summaryText({ name: "Update", nodes, notes: [], status: "ok", offset: 0, length: 10 })).toBe(
    "number=0, owner=1, state=2, number=10, owner=11, state=12, number=20",
  );
});
