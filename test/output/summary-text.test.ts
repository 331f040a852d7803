import { expect, it } from "vitest";
import { summaryText } from "../../src/output/text/summary-text.js";
import { array, struct, tuple, u8 } from "../../src/schema/index.js";
import type { FieldTree } from "../../src/schema/language/field-tree.js";
import { f32 } from "../../src/schema/words/little-endian.js";
import { decodeWhole } from "../support/check.js";

function summaryOf(nodes: FieldTree): string {
  return summaryText({ name: "Update", nodes, notes: [], status: "ok", offset: 0, length: nodes.endOf(0) });
}

const flag = struct("Flag", { number: u8.inSummary(), owner: u8.inSummary(), state: u8.inSummary() });

it("the last of the facts that fit a summary has the same name as if others followed, which is said", () => {
  const update = struct("Update", { count: u8, flags: array(flag, "count") });
  const nodes = decodeWhole(update, Uint8Array.of(3, 0, 1, 2, 10, 11, 12, 20, 21, 22));
  expect(summaryOf(nodes)).toBe("number=0, owner=1, state=2, number=10, owner=11, state=12, number=20, …");
  const two = decodeWhole(update, Uint8Array.of(2, 0, 1, 2, 10, 11, 12));
  expect(summaryOf(two)).toBe("number=0, owner=1, state=2, number=10, owner=11, state=12");
});

it("a struct with a fact of its own tells that, and nothing in it tells anything else", () => {
  const fact = (nodes: FieldTree, node: number) => `height=${nodes.numberIn(node, "high")}`;
  const size = struct("Size", { flag, high: u8 }, { label: () => "tall", fact });
  const update = struct("Update", { sizes: tuple([size, size]), id: u8.inSummary() });
  const nodes = decodeWhole(update, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9));
  expect(summaryOf(nodes)).toBe("height=4, height=8, id=9");
});

it("-0 differs from 0, as in JSON", () => {
  const update = struct("Update", { x: f32.inSummary(), y: f32.inSummary() });
  expect(summaryOf(decodeWhole(update, Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0x80)))).toBe("x=0, y=-0");
});
