import { expect, test } from "vitest";
import { nameBlocks, readNames } from "../../src/session/files/name-block.js";
import type { LearntName } from "../../src/session/name-book.js";
import { text } from "../support/packets.js";

const NAMES: readonly LearntName[] = [
  { dissector: "moul", kind: "player", id: "10124", name: 'Alice "of" D\'ni\n# \u{1f600}' },
  { dissector: "moul", kind: "player", id: "10125", name: undefined },
];

function readBack(blocks: readonly string[]): LearntName[] {
  return blocks.flatMap((block) => readNames(text(block)) ?? []);
}

test("names come back from a block as they were", () => {
  expect(readBack(nameBlocks(NAMES))).toEqual(NAMES);
  expect(nameBlocks([])).toEqual([]);
});

test("many names are in several blocks, none of which is longer than readers accept", () => {
  const many = Array.from({ length: 20_000 }, (_, at) => ({
    dissector: "moul",
    kind: "vaultNode",
    id: String(at),
    name: "n".repeat(100),
  }));
  const blocks = nameBlocks(many);
  expect(blocks.length).toBeGreaterThan(1);
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(1024 * 1024);
  expect(readBack(blocks)).toEqual(many);
});

test("what is no list of names is nothing, and lines that make no sense are passed over", () => {
  const [block = ""] = nameBlocks(NAMES);
  expect(readNames(text("MOUL_RC4 00 00112233445566"))).toBeUndefined();
  expect(readNames(text(block.slice(0, 10)))).toBeUndefined();
  const wrong = [
    "{",
    "null",
    "[]",
    '{"dissector":1,"kind":"a","id":"b"}',
    '{"dissector":"a","kind":"b","id":"c","name":3}',
  ];
  expect(readNames(text(`${block}${wrong.join("\n")}`))).toEqual(NAMES);
});
